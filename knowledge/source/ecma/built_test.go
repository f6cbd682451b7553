package ecma

import (
	"strings"
	"testing"
)

func TestBuiltFiles(t *testing.T) {
	t.Parallel()
	minified := strings.Repeat("function a(e,t){return t(e)}", 1000)
	written := strings.Repeat("function add(a, b) {\n  return a + b\n}\n", 1000)
	for name, c := range map[string]struct {
		content       string
		hashed, built bool
	}{
		"webapp/dist/assets/index-C8c580-n.js": {written, true, false},
		"build/static/js/main.3f2a91bc.js":     {written, true, false},
		"dist/2.0a1b2c3d4e5f60718293.chunk.js": {written, true, false},
		"assets/js/chart-version2.js":          {written, false, false},
		"assets/js/report-20240101.js":         {written, false, false},
		"assets/js/foo-BarChart.js":            {written, false, false},
		"src/index-C8c580-n.js":                {written, false, false},
		"web/cm-editor-6.0.1.bundle.js":        {written, false, true},
		"web/jquery.min.js":                    {minified, false, true},
		"web/jquery.js":                        {minified + "module.exports=a", false, true},
		"web/icon.js":                          {"export const icon = '" + strings.Repeat("x", 2000) + "'", false, false},
		"dist/index.js":                        {written, false, false},
		"dist/index.bundle.js":                 {written + "module.exports = { add }", false, false},
		"dist/index.min.js":                    {minified + "export{a as add}", false, false},
		"output/index_bundle.js":               {minified + "e.exports=a", false, true},
		"dist/site.js":                         {minified, false, true},
		"dist/assets/index-DkLvPqWm.js":        {minified + "export{a as b}", false, true},
		"src/bundle.js":                        {written, false, false},
	} {
		if hashed, built := isHashed(name), isBuilt(name, []byte(c.content)); hashed != c.hashed || built != c.built {
			t.Errorf("%s: hashed %v, built %v", name, hashed, built)
		}
	}
}
