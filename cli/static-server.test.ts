import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseHeaders, serveSite, type SiteServer } from './static-server.mjs'

let root = ''
let site: SiteServer
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'static-server-'))
  await writeFile(join(root, 'index.html'), 'hello')
  site = await serveSite({ root })
})
afterAll(async () => {
  await site.close()
  await rm(root, { recursive: true })
})

const ask = (options: RequestOptions = {}) =>
  new Promise<IncomingMessage & { readonly body: string }>((resolve, reject) => {
    request(site.url, options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => (body += part))
      response.on('end', () => resolve(Object.assign(response, { body })))
    })
      .on('error', reject)
      .end()
  })

it('serves a file as what it is and as nothing else', async () => {
  const { statusCode, headers, body } = await ask()
  expect([statusCode, headers['content-type'], headers['x-content-type-options'], body]).toEqual([
    200,
    'text/html; charset=utf-8',
    'nosniff',
    'hello',
  ])
})

it('answers with 404.html for what it has not, where there is one', async () => {
  expect((await ask({ path: '/nope' })).body).toBe('not found\n')
  await writeFile(join(root, '404.html'), 'nowhere')
  const { statusCode, headers, body } = await ask({ path: '/a/b/nope' })
  await rm(join(root, '404.html'))
  expect([statusCode, headers['content-type'], body]).toEqual([404, 'text/html; charset=utf-8', 'nowhere'])
})

it('answers HEAD without a body, and nothing that would change something', async () => {
  const head = await ask({ method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '5', ''])
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { statusCode, headers } = await ask({ method })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD'])
  }
})

it.each(['evil.example', 'localhost.evil.example', 'evil.example:80', '127.0.0.1.evil.example'])(
  'does not answer to the name %s',
  async (host) => expect((await ask({ headers: { host } })).statusCode).toBe(403),
)
it.each(['localhost', 'LOCALHOST:4173', '127.0.0.1:80', '[::1]:80'])('answers to %s', async (host) =>
  expect((await ask({ headers: { host } })).statusCode).toBe(200),
)

it('has one address for a page: more slashes than one, or none at its end, lead to it, on this host', async () => {
  const slashes = async (path: string) => {
    const { statusCode, headers } = await ask({ path })
    return [statusCode, headers.location]
  }
  expect(await slashes('/lessons//sync-stalls/?a=b//c')).toEqual([308, '/lessons/sync-stalls/?a=b//c'])
  await mkdir(join(root, 'trace'))
  expect(await slashes('/trace?a=b')).toEqual([308, '/trace/?a=b'])
  expect(await slashes('//evil.example//')).not.toContain('//evil.example/')
})

const headersOf = parseHeaders(`# a comment
/*
  X-One: 1
  X-Two: a: b; c
/assets/*
  X-One: 2
/page.html
  ! X-Two
  X-Three: 3
`)

it('gives each path what its rules say', () => {
  expect(headersOf('/')).toEqual({ 'x-one': '1', 'x-two': 'a: b; c' })
  expect(headersOf('/page.html')).toEqual({ 'x-one': '1', 'x-three': '3' })
  expect(headersOf('/other/page.html')).toEqual(headersOf('/'))
})

it('joins what two rules set, as hosts do', () =>
  expect(headersOf('/assets/a.js')).toMatchObject({ 'x-one': '1, 2' }))

it('refuses a file that a host would misread', () => {
  expect(() => parseHeaders('  X-One: 1')).toThrow('before any path')
  expect(() => parseHeaders('/*\n  X-One')('/')).toThrow('not a header')
})
