package ecma

import (
	"context"
	"testing"
)

func TestCommandLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"commander": {`import { program, Command, Option } from 'commander'
program.name('tool').description('Does ' + 'things').version('1')
  .option('-p, --port <n>', 'where', parseInt, 80)
  .option('--no-color', 'plain')
  .addOption(new Option('-l, --level [name]', 'how').default('warn').env('TOOL_LEVEL'))
  .addOption(new Option('--secret').hideHelp())
const serve = program.command('serve <dir>').alias('s').description('Serves')
serve.option('--open', 'opens').action(() => { other.option('--not') })
program.command('install [name]', 'install one')
program
  .command('build')
  .requiredOption('-o, --out <file>', 'to', 'out.js')
  .action(run)
const add = new Command('add').description('Adds')
program.addCommand(add)
program.parse()
`, `command add =add ?Adds
command build =build
command install =install $[name] ?install one
command serve =serve |s $<dir> ?Serves
command tool =* ?Does things
env TOOL_LEVEL ~warn ?how
flag --level <* |-l :name ~warn ?how
flag --no-color <* ?plain
flag --not
flag --open <serve ?opens
flag --out <build |-o :file ~out.js ?to
flag --port <* |-p :n ~80 ?where
join  =add <*
join  =build <*
join  =install <*
join  =serve <*`},
		"an exported command": {`import { Command } from 'commander'
const program = new Command('add')
program.description('Adds').option('--deep', ` + "`deeply ${most} times`" + `)
program.command('one')
export default program
`, `command add =program ?Adds
command one =program.one
flag --deep <program ?deeply … times
join  =program <default $handed
join  =program.one <program
mount  =program <default`},
		"an exported command that the file runs": {`import { Command } from 'commander'
const program = new Command('tool')
program.option('--deep').addCommand(require('./add').default)
program.parse()
export default program
`, `command tool =*
flag --deep <*
join  =@./add#default <*
mount  =program <default`},
		"the default export": {`import commander from 'commander'
commander.version('1').option('-D, --debug', 'talks more')
`, `command  =*
flag --debug <* |-D ?talks more`},
		"both": {`import commander, { program } from 'commander'
program.option('--one')
commander.option('--two')
`, `command  =*
flag --one <*
flag --two <*`},
		"the program by another name": {`import { program as cli } from 'commander'
cli.option('--debug')
`, `command  =*
flag --debug <*`},
		"tables": {`import { program, Option } from 'commander'
import others from './options'
const own = [{ long: 'cache', short: 'c', arg: 'dir', description: 'Where to.', default: 'x' }, { long: 'deep', other: 1 }]
const sorted = sort(own)
for (const { long, short } of sorted) other.push(long)
others.forEach((o) => { program.addOption(new Option(` + "`--${o.long}`" + `, o.description)) })
for (const { long, arg } of own) { const flags = '--' + long; program.option(flags, 'x') }
export default sorted
`, `command  =*
flag --cache <own |-c :dir ~x ?Where to.
flag --deep <own
join  =others <*
join  =own <*
join  =own <default
mount  =sorted <default`},
		"parseArgs": {`import { parseArgs } from 'node:util'
const { values } = parseArgs({ args: process.argv.slice(2), options: {
  port: { type: 'string', short: 'p', default: '3000' }, host: { type: 'string', short: 'h' },
  help: { type: 'boolean' }, x: { type: 'boolean', default: true },
} })
`, `command  =*
flag --help <*
flag --host <* |-h :string
flag --port <* |-p :string ~3000
flag -x <* ~true`},
		"parseArgs of a variable": {`import * as util from 'node:util'
const options = { port: { type: 'string', short: 'p' } }
const args = process.argv.slice(2)
util.parseArgs({ args, options, strict: false })
`, `command  =*
flag --port <* |-p :string`},
		"parseArgs of an unknown command": {`import { parseArgs } from 'node:util'
export function serve(args) { return parseArgs({ args, options: { port: { type: 'string', short: 'p', default: '80' } } }) }
`, `flag --port |-p :string ~80`},
		"yargs": {`const yargs = require('yargs')
yargs(hideBin(process.argv))
  .scriptName('tool')
  .command('serve [port]', 'Serves', (y) => y.option('open', { alias: 'o', type: 'boolean', default: true, describe: 'opens' }), run)
  .command({ command: 'add <x>', describe: 'Adds', builder: { deep: { type: 'number', default: 3 } } })
  .command('$0', 'default', (y) => { y.option('all', { type: 'string' }) })
  .options({ verbose: { alias: ['v', 'loud'], type: 'count' }, dead: { hidden: true } })
`, `command add =add $<x> ?Adds
command serve =serve $[port] ?Serves
command tool =*
flag --all <* :string
flag --deep <add :number ~3
flag --open <serve |-o ~true ?opens
flag --verbose <* |-v, --loud
join  =add <*
join  =serve <*`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := said(languageOf("a.js").Extract(context.Background(), "a.js", []byte(c.src))); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
