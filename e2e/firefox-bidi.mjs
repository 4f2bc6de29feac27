#!/usr/bin/env node
/**
 * A Firefox as Playwright expects it: starts FIREFOX_PATH with the arguments given and stands
 * between the two on WebDriver BiDi. Playwright sends commands that a stock Firefox does not have
 * yet, for every page, and gives up at the first error. Of these alone 'unknown command' becomes an
 * empty answer: what they ask for is not done. A Firefox that knows them does it. Collecting the
 * bodies of responses is not passed on: no test reads one.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

/** Firefox 153 lacks it: colour scheme and motion stay those of its preferences (browsers.mjs). */
const MAY_BE_MISSING = ['emulation.setMediaFeaturesOverride']
/** Playwright asks for it once a browser, for `response.body()`. */
const NOT_PASSED_ON = 'network.addDataCollector'
/** In Firefox's own words, which Playwright waits for too. */
const LISTENING = /^WebDriver BiDi listening on (ws:\/\/\S+)$/
/** Recordings and traces cross it whole. */
const NO_LIMIT = 0

const executable = process.env['FIREFOX_PATH']
if (!executable) throw new Error('FIREFOX_PATH names no Firefox.')

/**
 * @param {string} text
 * @returns {unknown}
 */
const parse = (text) => JSON.parse(text)

/**
 * One connection of Playwright's, with one of ours behind it.
 * @param {WebSocket} client
 * @param {string} address of Firefox
 * @param {string} path
 */
function relay(client, address, path) {
  const firefox = new WebSocket(`${address}${path}`, { maxPayload: NO_LIMIT, perMessageDeflate: false })
  /** Ids of commands under way that Firefox may not know. */
  const lenient = /** @type {Set<number>} */ (new Set())
  /** @type {string[]} */
  const early = []
  client.on('message', (/** @type {Buffer} */ data) => {
    const text = data.toString()
    const { id, method } = /** @type {{ id: number, method: string }} */ (parse(text))
    if (method === NOT_PASSED_ON) {
      client.send(JSON.stringify({ type: 'success', id, result: { collector: 'none' } }))
      return
    }
    if (MAY_BE_MISSING.includes(method)) lenient.add(id)
    if (firefox.readyState === WebSocket.OPEN) firefox.send(text)
    else early.push(text)
  })
  firefox.on('open', () => {
    for (const text of early) firefox.send(text)
  })
  firefox.on('message', (/** @type {Buffer} */ data) => {
    const text = data.toString()
    if (lenient.size > 0) {
      const answer = /** @type {{ id?: number, error?: string }} */ (parse(text))
      if (answer.id !== undefined && lenient.delete(answer.id) && answer.error === 'unknown command') {
        client.send(JSON.stringify({ type: 'success', id: answer.id, result: {} }))
        return
      }
    }
    client.send(text)
  })
  client.on('close', () => firefox.close())
  firefox.on('close', () => client.close())
  // Its end is told by 'close'.
  firefox.on('error', () => undefined)
}

const firefox = spawn(executable, process.argv.slice(2), { stdio: ['ignore', 'inherit', 'pipe'] })
firefox.once('close', (code) => process.exit(code ?? 1))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => firefox.kill(signal))

createInterface({ input: firefox.stderr }).on('line', (line) => {
  const [, address] = LISTENING.exec(line) ?? []
  if (address === undefined) {
    process.stderr.write(`${line}\n`)
    return
  }
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    maxPayload: NO_LIMIT,
    perMessageDeflate: false,
  })
  server.on('connection', (client, request) => relay(client, address, request.url ?? '/session'))
  server.on('listening', () => {
    const own = server.address()
    if (typeof own !== 'object' || own === null) throw new Error('The relay listens to no port.')
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${String(own.port)}\n`)
  })
})
