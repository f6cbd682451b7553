package java

import (
	"context"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
)

func TestEnvironment(t *testing.T) {
	t.Parallel()
	spring := "import org.springframework.core.env.Environment;\n"
	for text, want := range map[string]string{
		`class A { String a = System.getenv("A_B"); }`:                                                             "A_B",
		`class A { class B { String a = System.getenv(KEY); } }`:                                                   "$A.B.KEY",
		`class A { String a = System.getenv(Names.KEY, "x"); }`:                                                    "$Names.KEY",
		`class A { String a = System.getenv(name); String b = System.getenv(N + "x")}`:                             "*, *",
		spring + `class A { A(Environment e) { e.getProperty("A_B"); } }`:                                          "A_B",
		spring + `class A { A(Environment e) { e.getProperty("a.b"); e.getProperty(KEY); e.getProperty("AB"); } }`: "",
		`class A { A() { System.getProperty("A_B"); } }`:                                                           "",
	} {
		var got []string
		for _, f := range (Language{}).Extract(context.Background(), "A.java", []byte(text)).Facts {
			if f.Kind == source.Env {
				got = append(got, f.Name)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestStoredTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"import org.springframework.data.mongodb.core.mapping.Document;\n@Document(collection = \"carts\") class Cart { @Id String id; @Field(\"t\") int total; }":      "MongoDB Cart carts id/ total/t",
		"import org.springframework.data.mongodb.core.mapping.Document;\n@Document class Cart { @Id String id; }\nclass Other { @Id String id; }":                       "MongoDB Cart  id/",
		"import org.springframework.data.relational.core.mapping.Table;\n@Table(\"carts\") class Cart { @Id Long id; @Transient int n; }":                               "Spring Data Cart carts id/",
		"import jakarta.persistence.*;\n@Entity @Table(name = \"carts\") class Cart extends Base { @Id Long id; @Column(name = \"sum\", nullable = false) int total; }": "JPA Cart carts id/ total/sum",
		"import java.lang.annotation.*;\n@Document class Cart { @Id String id; }":                                                                                       "",
	} {
		got := ""
		for _, f := range (Language{}).Extract(context.Background(), "A.java", []byte(text)).Facts {
			if f.Kind == source.Data {
				got = f.Value + " " + f.Name + " " + f.Also
				for _, c := range ddl.FromFact(f.Name, f.Also, f.Value, "", "", "", f.Doc).Columns {
					got += " " + c.Name + "/" + c.Stored
				}
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
