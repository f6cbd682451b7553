package java

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

var testDirs = []string{"test", "androidTest", "integrationTest", "integration-test", "functionalTest", "it"}

var testSuffixes = []string{"Test.java", "Tests.java", "IT.java"}

var testPackages = []string{"org.junit", "org.testng", "junit.framework"}

// isTest applies declarations, the Maven and Gradle layout, and test runners' naming conventions. A name alone is not
// enough for a library's main sources or annotation types.
func (p *parser) isTest(name string) bool {
	switch {
	case p.declaresTests(), inTestDir(name):
		return true
	case p.onlyAnnotations():
		return false
	}
	return placedAsTest(name)
}

func placedAsTest(name string) bool {
	if inTestDir(name) {
		return true
	}
	return !inSources(name, "main") &&
		slices.ContainsFunc(testSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

func (p *parser) declaresTests() bool {
	return (len(p.tests) > 0 || p.testClass) && slices.ContainsFunc(p.imports, func(imp source.Import) bool {
		return slices.ContainsFunc(testPackages, func(pkg string) bool {
			return imp.Path == pkg || strings.HasPrefix(imp.Path, pkg+".")
		})
	})
}

// onlyAnnotations reports whether all top-level types are annotation types, like a test framework's Test.
func (p *parser) onlyAnnotations() bool {
	some := false
	for _, d := range p.decls {
		if d.scope != "" {
			continue
		}
		if d.kind != source.Interface || p.kind(d.head.From-1) != '@' {
			return false
		}
		some = true
	}
	return some
}

func inTestDir(name string) bool {
	return slices.ContainsFunc(testDirs, func(dir string) bool { return inSources(name, dir) })
}

func inSources(name, set string) bool { return strings.Contains("/"+name, "/src/"+set+"/") }
