package java

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

var testDirs = []string{"test", "androidTest", "integrationTest", "integration-test", "functionalTest", "it"}

var testSuffixes = []string{"Test.java", "Tests.java", "IT.java"}

// testPackages are the packages of the frameworks that run tests, with those below them.
var testPackages = []string{"org.junit", "org.testng", "junit.framework"}

// isTest tells a file of tests by what it declares, by the layout of Maven and Gradle, and by the names that their
// test runners look for. A name alone says nothing of a library's own sources, nor of a file of annotation types.
func (p *parser) isTest(name string) bool {
	switch {
	case p.declaresTests(), inTestDir(name):
		return true
	case p.onlyAnnotations():
		return false
	}
	return placedAsTest(name)
}

// placedAsTest tells a test by where it lies and how it is called.
func placedAsTest(name string) bool {
	if inTestDir(name) {
		return true
	}
	return !inSources(name, "main") &&
		slices.ContainsFunc(testSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// declaresTests reports whether the file has tests for a framework that it imports.
func (p *parser) declaresTests() bool {
	return (len(p.tests) > 0 || p.testClass) && slices.ContainsFunc(p.imports, func(imp source.Import) bool {
		return slices.ContainsFunc(testPackages, func(pkg string) bool {
			return imp.Path == pkg || strings.HasPrefix(imp.Path, pkg+".")
		})
	})
}

// onlyAnnotations reports whether the types of the file are annotation types, as the Test of a framework is.
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

// inSources reports whether a file lies in the source set of that name.
func inSources(name, set string) bool { return strings.Contains("/"+name, "/src/"+set+"/") }
