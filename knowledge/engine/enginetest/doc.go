// Package enginetest holds plugins to what the engine promises of them: what is stale is never taken for fresh, what did not
// change is not redone, the way to a state leaves no trace in what is stored, a run with nothing to do writes nothing, every
// conclusion is explained, and neither a plugin that meddles with what it is given nor a model that answers nonsense does harm.
//
// Whoever writes a plugin gives [Run] a [Subject]: a small repository, a few edits, and which units each of them concerns.
// [Repository] is one in memory, for plugins that read files; [InMemory] makes a Subject of it, and [Prepared] one for plugins that
// rest on another World, as on a survey. A plugin that rests on a room of its
// own brings the engine over a directory of its own.
//
// The example of this package is a whole plugin.
package enginetest
