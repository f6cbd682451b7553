package java

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestConfiguration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"an interface with a prefix": {`@ConfigMapping(prefix = "shop")
public interface ShopConfiguration {
  /** How long carts stay. More. */
  @WithDefault("365d") Duration maxAge();
  default boolean isShort() { return true; }
  Optional<String> proxyHost();
  String url();
  Database database();
  interface Database { @WithName("size") @WithDefault("500") int poolSize(); }
}`, `shop <ShopConfiguration.prefix =ShopConfiguration
 <* =ShopConfiguration.prefix
max-age <ShopConfiguration :Duration ~365d ?How long carts stay.
proxy-host <ShopConfiguration :Optional<String>
url <ShopConfiguration :String $required
database <ShopConfiguration :Database =ShopConfiguration.Database
size <ShopConfiguration.Database :int ~500`},
		"a bean that a method configures": {`class Mails {
  @Bean @ConfigurationProperties("shop.mail")
  public MailSender mailSender(Shop shop) { return new MailSender(shop); }
}
class MailSender extends Sender {
  static final String FROM = "me";
  private final Shop shop;
  /** Who gets it. A list. If not set, it is the {@code root}. More. */
  private String[] to = { "root", "me" };
  private RestTemplate rest;
  private String from = FROM, name = OTHER, cc = null;
  MailSender(Shop shop) { this.shop = shop; }
  void setTo(String[] to) { this.to = to; }
  void setRest(RestTemplate rest) { this.rest = rest; }
  void setFrom(String from) { this.from = from; }
  void setName(String from) { this.name = name; }
  void setCc(String cc) { this.cc = cc; }
}
class Answer { String text; void setText(String text) {} }
class MailEvent { String text; MailEvent(String id) {} void setText(String text) {} }`, ` <* =Mails.mailSender.prefix
shop.mail <Mails.mailSender.prefix :MailSender =MailSender
 <MailSender =Sender
to <MailSender :String[] ~root,me ?Who gets it. If not set, it is the root
from <MailSender :String ~me
name <MailSender :String $computed
cc <MailSender :String`},
		"a boolean of Lombok": {`import lombok.Data;
@Data @ConfigurationProperties("shop")
class Shop { private boolean isDemoSite; private boolean island; }`, ` <* =Shop.prefix
shop <Shop.prefix =Shop
demo-site <Shop :boolean
island <Shop :boolean`},
		"a class with a prefix": {`@ConfigurationProperties("shop.mail")
class Mail {
  static final int MOST = 1;
  private String host = "localhost";
  private int port = 25;
  private Map<String, String> extra = new HashMap<>();
  private final Sender sender = new Sender();
  static class Sender { private String name; }
  public String getHost() { return host; }
}`, `shop.mail <Mail.prefix =Mail
 <* =Mail.prefix
host <Mail :String ~localhost
port <Mail :int ~25
extra <Mail :Map<String, String> $computed
sender <Mail :Sender =Mail.Sender
name <Mail.Sender :String`},
		"a class inside another one": {`@Configuration
class Mails {
  private String other;
  @ConfigurationProperties(prefix = "mail")
  static class Properties { private String host; static final int MOST = 1; }
}`, `mail <Mails.Properties.prefix =Mails.Properties
 <* =Mails.Properties.prefix
host <Mails.Properties :String`},
		"keys of conditions": {`@ConditionalOnProperty(prefix = "shop.mail", name = "enabled", havingValue = "true")
class A {
  @ConditionalOnProperty(value = "shop.cors", matchIfMissing = true) Filter cors() { return null; }
  @ConditionalOnProperty(prefix = Shop.PREFIX, name = "no") Filter no() { return null; }
}`, ` <* =values.of.the.file
shop.mail.enabled <values.of.the.file
shop.cors <values.of.the.file`},
		"keys of fields": {`class A {
  @Value("${shop.url:http://localhost}") String url;
  @Value("#{x}") String no;
  A(@Value("${shop.token}") String token, @ConfigProperty(name = "shop.ttl", defaultValue = "5m") Duration ttl) {}
}`, ` <* =values.of.the.file
shop.url <values.of.the.file ~http://localhost
shop.token <values.of.the.file
shop.ttl <values.of.the.file ~5m`},
	} {
		var got []string
		for _, f := range (Language{}).Extract(t.Context(), "A.java", []byte(c.src)).Facts {
			if f.Kind != source.Config {
				continue
			}
			line := f.Name
			for _, part := range [][2]string{{"<", f.Of}, {":", f.Value}, {"=", f.ID}, {"~", f.Default}, {"$", f.Usage}, {"?", f.Help}} {
				if part[1] != "" {
					line += " " + part[0] + part[1]
				}
			}
			got = append(got, line)
		}
		want := strings.Split(c.want, "\n")
		for _, w := range want {
			if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+w+"\n") {
				t.Errorf("%s: lacks %q in\n%s", name, w, strings.Join(got, "\n"))
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: got\n%s", name, strings.Join(got, "\n"))
		}
	}
}
