package matrix

import (
	"slices"
	"strings"
	"testing"
)

var languages = []language{goShop, pythonShop, typescriptShop}

func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			shop := documented(t, l)
			for _, x := range slices.Concat(l.everywhere(), l.trials) {
				t.Run(strings.ReplaceAll(x.row, " ", "_"), func(t *testing.T) {
					t.Parallel()
					l.try(t, shop, x)
				})
			}
		})
	}
}
