'use strict'
const path = require('path')
const { readFile, stat: lstat = readFile } = require('fs')
var count = 0

function Server(root) { this.root = path.resolve(root); count++ }
Server.prototype.close = function close(done) { var self = this; return lstat(self.root, () => done(this.root, close)) }
Server.prototype.open = async function* () { for await (const part of readFile(count)) yield part }

if (count) { var loose = { count, close() { return loose } } }
for (var key in loose) label: while (true) { break label }
exports.make = function (root) { return new Server(root || key) }
exports.remake = () => exports.make(arguments[0]) / count
module.exports.Server = Server
