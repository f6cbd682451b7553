package source

import (
	"fmt"
	"strings"
	"testing"
)

func TestDescriptions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"a function", ".. function:: bake(what, minutes=1)\n\n   Bakes it.\n\nText.\n", []string{"python bake 1-3: Bakes it."}},
		{"a module", ".. module:: cook.oven\n   :synopsis: x\n\n.. py:function:: bake\n\n   Bakes.\n\n.. currentmodule:: None\n\n.. data:: X\n\n   Is x.\n", []string{"python cook.oven bake 4-6: Bakes.", "python X 10-12: Is x."}},
		{"of its own", ".. function:: bake()\n   :module: cook\n\n   Bakes.\n", []string{"python cook bake 1-4: Bakes."}},
		{"a type with members", ".. class:: Oven(size)\n\n   Is hot.\n\n   .. attribute:: heat = 1\n\n      How hot.\n\n   .. method:: on()\n               on(now)\n\n      Turns it on.\n\n   .. method:: Oven.off()\n      :abstractmethod:\n\n      Turns it off.\n\n   Is large.\n",
			[]string{"python Oven 1-19: Is hot.\n\n.. attribute:: heat = 1\n\n   How hot.\n\nIs large.", "python Oven.on 9-12: Turns it on.", "python Oven.off 14-17: Turns it off."}},
		{"fields go behind the first paragraph", ".. function:: f(a)\n\n   :param a: an A\n       that is long\n   :returns: B\n\n   Makes\n   it.\n\n   More.\n", []string{"python f 1-10: Makes\nit.\n\n:param a: an A\n    that is long\n:returns: B\n\nMore."}},
		{"fields alone", ".. function:: f(a)\n\n   :param a: an A\n", []string{"python f 1-3: :param a: an A"}},
		{"C", ".. c:function:: int uv_run(uv_loop_t* loop, uv_run_mode mode)\n\n   Runs.\n\n.. c:type:: void (*uv_cb)(uv_t* handle)\n\n   Is called.\n\n.. c:macro:: UV_X\n\n   Is x.\n\n.. function:: const char *name(int a)\n              int other(void)\n\n   Names.\n",
			[]string{"c uv_run 1-3: Runs.", "c uv_cb 5-7: Is called.", "c UV_X 9-11: Is x.", "c name 13-16: Names.", "c other 13-16: Names."}},
		{"JavaScript", ".. js:class:: Shop\n\n   Sells.\n\n   .. js:method:: sell(what)\n\n      One.\n\n.. js:function:: shop.open()\n\n   Opens.\n", []string{"javascript Shop 1-7: Sells.", "javascript Shop.sell 5-7: One.", "javascript shop.open 9-11: Opens."}},
		{"another default", ".. default-domain:: c\n\n.. function:: void f(void)\n\n   Is f.\n", []string{"c f 3-5: Is f."}},
		{"code is none", ".. code-block:: rst\n\n   .. function:: f()\n\n      Is f.\n\nLike this::\n\n   .. function:: g()\n\n      Is g.\n\n.. A comment.\n\n   .. function:: h()\n\n      Is h.\n", nil},
		{"a note is not code", ".. note::\n\n   .. function:: f()\n\n      Is f.\n", []string{"python f 3-5: Is f."}},
		{"nothing is said", ".. function:: f()\n\n.. autofunction:: g\n\n.. rst:directive:: h\n\n   H.\n\n.. function:: a b\n\n   Text.\n", nil},
	} {
		var got []string
		for _, d := range Descriptions([]byte(test.text)) {
			got = append(got, fmt.Sprintf("%s %s %d-%d: %s", d.Language, strings.TrimSpace(d.Module+" "+d.Name), d.Line, d.End, d.Text))
			if d.Bytes != len(d.Text) || d.Digest != DigestOf(d.Text) {
				t.Errorf("%s: %d bytes, %s", test.name, d.Bytes, d.Digest)
			}
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
			t.Errorf("%s: %q\nwant %q", test.name, got, test.want)
		}
	}
}

// TestDescriptionsAreCut checks that a long description ends with a whole paragraph, outside of code.
func TestDescriptionsAreCut(t *testing.T) {
	t.Parallel()
	long := ".. function:: f()\n\n" + strings.Repeat("   Word.\n\n", 450) + "   Like this::\n\n" + strings.Repeat("      code()\n\n", 400)
	got := Descriptions([]byte(long))
	if len(got) != 1 || len(got[0].Text) > mostSaid || !strings.HasSuffix(got[0].Text, "\n\nWord.") {
		t.Errorf("%+v", got)
	}
	if got := Descriptions([]byte(".. function:: f()\n\n   " + strings.Repeat("x", 2*mostSaid))); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}
