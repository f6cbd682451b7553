package surface

import "strings"

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
	Doc      // first paragraph is the help, the rest documentation
	Long     // documentation
	Also     // other names
	Hidden   // whether it is hidden
	Parents  // commands whose flags it inherits
	Builder  // a function that configures the subcommand
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
