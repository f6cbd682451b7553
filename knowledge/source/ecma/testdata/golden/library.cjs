#!/usr/bin/env node
'use strict'
/**
 * @fileoverview A command that serves files.
 */
const path = require('path')
const { readFile, stat: lstat } = require('fs')
const debug = require('debug')('serve')
const { version } = require('./package.json')
const parse = require('./parse').parse

/** Starts the server. */
function serve(port, { root = '.' } = {}) {
  const { HOST, PORT: p } = process.env
  const home = process.env.HOME || process.env["USERPROFILE"]
  process.env.WRITTEN = '1'
  if (!home) process.exit(2)
  return path.join(home, lstat)
}

function Server(root) { this.root = root }
/** Closes it. */
Server.prototype.close = function close(callback) { callback() }
Server.create = (root) => new Server(root)

program.option('-p, --port <n>', 'port').option('--no-color').requiredOption("-c --config=<file>")
app.get('/health', (req, res) => res.send('ok'))
app.post("/items", auth, create)
app.get('env')
api.get('/remote', options)
router.route('/users').get(list).post(add)
parseArgs({ options: { verbose: { type: 'boolean', short: 'v' } } })

exports.parse = parse
exports.other = require('./other').thing
exports.joined = path.join
exports.limit = 10
module.exports = { serve, Server, start: serve, run(x) { return x }, stop: function (now) {}, ...require('./more') }
