package rust

import (
	"strings"
	"testing"
)

func TestConfiguration(t *testing.T) {
	t.Parallel()
	src := `#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Config {
	/// Where it listens. More.
	#[serde(default = "default_addr")]
	pub listen_addr: Option<String>,
	#[serde(rename = "n", default = "three")] count: usize,
	pub db: DbSettings,
	#[serde(flatten)] more: MoreSettings,
	#[serde(skip)] hidden: u8,
	names: HashMap<String, u8>,
	services: Option<BTreeMap<(u8, u8), Box<ServiceSettings>>>, peers: Vec<PeerSettings>, odd: Odd<Vec<PeerSettings>>,
	rules: std::vec::Vec<Option<Rule>>,
	shops: Option<HashMap<String, Shop>>,
	#[serde(default)] open: bool,
	#[serde(default)] near: Option<bool>,
}
#[derive(Deserialize)] struct Answer { id: u8 }
fn default_addr() -> Option<String> { "0.0.0.0".to_string() }
fn three() -> usize { 3 }
`
	want := `config  =Config <* $fallback
config  =MoreSettings <Config
config db =DbSettings <Config :DbSettings
config listen-addr =String <Config :String ~0.0.0.0 ?Where it listens. More
config n =usize <Config :usize ~3
config names =u8 <Config |.* :HashMap<String, u8>
config near =bool <Config :bool
config odd =Odd <Config :Odd<Vec<PeerSettings>>
config open =bool <Config :bool ~false
config peers =PeerSettings <Config |[] :Vec<PeerSettings>
config rules =Rule <Config |[] :std::vec::Vec<Option<Rule>>
config services =ServiceSettings <Config |.* :BTreeMap<(u8, u8), Box<ServiceSettings>>
config shops =Shop <Config |.* :HashMap<String, Shop>`
	if got := said(src); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for _, reads := range []string{"toml::from_str(&text)", "figment::Figment::new()", "config::Config::builder()"} {
		if got := said(src + "fn load() { " + reads + "; }\n"); !strings.HasPrefix(got, "config  =* <*\nconfig  =Config <*\n") {
			t.Errorf("%s: a configuration is not read:\n%s", reads, got)
		}
	}
	if got := said(src + "fn load() { http::config::Config::builder(); let a: Config = serde_json::from_str(&text); }\n"); got != want {
		t.Errorf("an answer is a configuration:\n%s", got)
	}
	for _, file := range []string{"src/config.rs", "crates/settings/src/a.rs"} { // Config may hold all types of such a file
		if got := saidIn(file, src); got != strings.Replace(want, "config listen", "config id =u8 <Answer :u8\nconfig listen", 1) {
			t.Errorf("%s:\n%s", file, got)
		}
	}
}
