// Package enginetest checks plugins against the guarantees of the engine: stale conclusions are never reported as
// fresh, unchanged ones are not re-evaluated, stored data depends only on the state of the repository, an idle run
// writes nothing, every conclusion is explained, and neither a plugin that modifies its inputs nor a model that
// answers nonsense does harm.
//
// The author of a plugin gives [Run] a [Subject]: a small repository, a few edits, and the units that each edit
// affects. [Repository] is in memory, for plugins that read files; [InMemory] makes a Subject of it, and [Prepared]
// one for plugins that need another World, such as a survey. A plugin with a separate room opens the engine over a
// real directory.
//
// The example of this package is a complete plugin.
package enginetest
