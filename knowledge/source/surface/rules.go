package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Rules describe the meaning of calls, decorators and names in a language and its frameworks.
type Rules struct {
	FlowRules

	Env         EnvRules
	Routes      RouteRules
	Config      ConfigRules
	Commands    CommandRules
	Models      []ModelRule
	Entities    EntityRules
	Controllers ControllerRules
	Jobs        JobRules
	Exits       map[string]bool // functions that exit the program with a code
	ExitWords   []string        // words in the names of functions that may exit with their argument
	Scoped      bool            // IDs contain the function, and parameters have types
	Predeclared map[string]bool // built-in functions
	Constants   bool            // constants in functions apply to the whole file
	Local       bool            // an assignment in a function declares a local variable
	Self        map[string]bool // receiver names in methods
	Nothing     map[string]bool // names of values that are not defaults
}

// Role is the meaning of an argument.
type Role uint8

const (
	None Role = iota
	Called
	Usage    // the usage line, including the name
	Rest     // the usage line after the name
	Help     // one-line help
	Long     // documentation
	Also     // other names
	Hidden   // whether it is hidden
	Parents  // commands whose flags it inherits
	Builder  // a function that configures the subcommand
	Runs     // the function that runs the command
	Names    // the spellings of a flag
	Spec     // spellings and placeholder in one text
	Default  // default value
	Last     // default value, unless another argument gives one
	Value    // placeholder of the value
	Type     // type of the value
	Bare     // whether it takes no value
	Action   // argparse action
	Count    // number of values
	Needed   // whether it is required
	Variable // environment variables that set it
	Handles  // handler of a job
	When     // schedule of a job
	Cron     // the same; another text declares no job
	Millis   // the same, in milliseconds
	Unit     // part of a schedule, named by its keyword
	Under    // list of flags or subcommands
	Gone     // hidden if present
)

// addLast adds the last elements of the names in a table, of which decorators begin with an @.
func addLast[V any](to map[string]bool, table map[string]V) {
	for name := range table {
		_, name, _ = cutLast(strings.TrimPrefix(name, "@"))
		to[name] = true
	}
}

// Words returns the last elements of the call names covered by rules, of which one must occur in a file for a rule to apply.
func (r *Rules) Words() map[string]bool {
	out := map[string]bool{}
	addLast(out, r.Entities.Calls)
	addLast(out, r.Entities.Tables)
	for name := range Set("define init model table") {
		delete(out, name) // too common
	}
	addLast(out, r.Entities.Classes)
	addLast(out, r.Env.Objects)
	addLast(out, r.Exits)
	addLast(out, r.Routes.Makers)
	addLast(out, r.Controllers.Classes)
	out[r.Controllers.Prefix], out[r.Controllers.Versions] = true, true
	addLast(out, r.Jobs.Calls)
	addLast(out, r.Jobs.Timers)
	return out
}

// Words returns the names of calls that build a command line, on any receiver.
func (c *CommandRules) Words() map[string]bool {
	out := map[string]bool{}
	for name := range c.Calls {
		if name[0] != '@' && name[0] != '=' {
			_, name, _ = cutLast(name)
			out[name] = true
		}
	}
	return out
}

// FlowRules describe a language in which variables hold commands and names.
type FlowRules struct {
	Alone         bool            // no other rules apply
	Main, Initial string          // functions that a program starts with
	TextType      string          // type of texts
	Length        string          // function that returns the length of a text
	Basic         map[string]bool // types that the language has
	Zeros         map[string]*Node
	Appends       map[string]bool                // functions that add to a list
	Dedents       map[string]func(string) string // functions that only remove indentation
	Panics        map[string]bool                // functions that do not return
	Failing       map[string]bool                // these, and functions that create an error
	Platform      string                         // name of the operating system
	Arguments     string                         // arguments of the program
	Parse         string                         // method that parses arguments
	Units         map[string]int64
	Quantity      func(int64) string // writes a number of units

	Readers    map[string]bool     // functions that read a variable
	ReadBy     map[string][]string // functions that read certain variables
	Asking     map[string]bool     // types of functions that read variables
	Tidies     map[string]bool     // functions that keep the meaning of a value
	First      map[string]bool     // functions that return the first argument that is present
	Whole      map[string]bool     // functions that return all variables
	Copies     map[string]bool     // functions that take the environment for another program
	From       string              // package of the functions that read certain variables
	Keys       map[string]KeyRule
	Made       map[string]string  // types of the values that functions of libraries return
	Snakes     map[string]bool    // functions that separate the words of a name by underscores
	Bound      string             // beginning of the methods that make flags keys of the configuration
	FieldNames [2]map[string]bool // fields with the default and the help of a variable
	NameFields map[string]bool    // fields and methods with the name of a registered element

	TagForms  []TagForm // tags that fill fields from the environment
	TagModels []TagModel
	TagPrefix string
	// a literal of the type OptionsType has the field OptionsPrefix with the prefix of all variables
	OptionsType, OptionsPrefix string
	// a literal of the type LookupType has the field LookupTarget with the variable to fill, and LookupSource, in which a
	// call of LookupPrefix gives the prefix
	LookupType, LookupTarget, LookupSource, LookupPrefix string
	ConfigTags                                           []string        // tags with a field's key, in order of precedence; the last is also of other data
	Decodes                                              map[string]bool // methods that fill a value from a file
	Decoders                                             map[string]bool // packages that have them
}

// TagForm names the tags of a variable.
type TagForm struct{ Name, Value, Required string }

// KeyRule describes a method of a value that has the configuration.
type KeyRule struct {
	Part        KeyPart
	Package     string // must be imported
	Owner       string // type of the value; the package alone has it too
	Least, Most int    // arguments
}

// KeyPart is the effect of such a method.
type KeyPart uint8

// Effects on a configuration.
const (
	Prefixes  KeyPart = iota + 1 // the variables have a prefix
	Automatic                    // each key has a variable
	Named                        // each variable with a prefix has a key
	Binds                        // a key has the variables
	Fallbacks                    // a key has a default
	Replaces                     // the variables have other characters than the keys
	Gets                         // a key is read
	Fixes                        // a key has a value, whatever the variable has
)

// Step counts one step. Each loop over a declaration that other code names counts its steps, because they multiply.
func (in *Input) Step() { in.Steps(1) }

// textOfStep is how many bytes of facts count as a step.
const textOfStep = 2

// count counts the text of a fact: a long name may be part of any number of facts.
func (in *Input) count(fact *source.Fact) {
	n := 0
	for _, text := range fact.Texts() {
		n += len(*text)
	}
	in.Steps(1 + n/textOfStep)
}
