// A generator of skeletons for tests, apart from the others: app/proof/tests holds what causal generates to it.
module github.com/causaldocs/causal

go 1.26.0

tool github.com/cweill/gotests/gotests

require (
	github.com/cweill/gotests v1.6.0 // indirect
	golang.org/x/tools v0.0.0-20191109212701-97ad0ed33101 // indirect
)
