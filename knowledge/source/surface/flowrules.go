package surface

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
