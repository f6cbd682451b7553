package cli_test
import ("testing"; _ "pgregory.net/rapid")
func TestSmoke(t *testing.T){ r:=newShop(t); r.update(); sameAsScratch(t,r); r.causal(0,"check") }
