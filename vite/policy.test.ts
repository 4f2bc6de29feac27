import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseHeaders } from '../cli/static-server.mjs'
import { headersFile } from './host-headers'
import { inlineScripts, pagePolicy, SERVICE_WORKER_POLICY, withPolicy, workerPolicy } from './policy'

const PAGE = `<!doctype html><html><head><meta charset="utf-8" />
<script type="module" src="./a.js"></script><script>one()</script></head><body><script>
two('<p style="1">')
</script><p data-style="x">no style="here" either</p></body></html>`

describe('what stands in a page', () => {
  it('is found as the browser hashes it, to the last blank', () => {
    expect(inlineScripts(PAGE)).toEqual(['one()', '\ntwo(\'<p style="1">\')\n'])
  })

  it('has no hash of a block of data', () => {
    const data = '<script type="application/ld+json">{}</script>'
    expect(inlineScripts(PAGE.replace('</head>', `${data}</head>`))).toEqual(inlineScripts(PAGE))
  })

  it.each([
    '<style>p { color: red }</style>',
    '<p style="color: red">',
    "<p class='a' style='color: red'>",
    '<p\n  style=x>',
    '<button type="button" onclick="x()">',
    '<a href="javascript:x()">',
  ])('is refused where no hash helps: %s', (tag) =>
    expect(() => inlineScripts(PAGE.replace('<p data-style="x">', tag))).toThrow('refuses'),
  )
})

describe('the policy', () => {
  // sha256 of 'one()', by openssl.
  const ONE = "'sha256-HR7iaask9daLMRRskMI++QeJtjWDOjyPA6lGzYGzKW4='"

  it('of a page lets its own scripts through by their hash, and no others', () => {
    const policy = pagePolicy(['one()'])
    expect(policy).toContain(`script-src 'self' ${ONE};`)
    expect(policy).toContain(`style-src 'self';`)
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/unsafe/)
  })

  it('of a worker has WebAssembly only where it is needed', () => {
    expect(workerPolicy(true)).toContain("'wasm-unsafe-eval'")
    expect(workerPolicy(false)).not.toMatch(/unsafe|connect-src|worker-src/)
  })

  it('of the service worker lets it fetch what pages ask for, workers’ scripts too, and nothing run', () => {
    expect(SERVICE_WORKER_POLICY).toBe(
      "default-src 'none'; connect-src 'self'; worker-src 'self'; require-trusted-types-for 'script'",
    )
  })

  it('stands in the page before what it is to hold for', () => {
    const html = withPolicy(PAGE, pagePolicy(inlineScripts(PAGE)))
    expect(html.indexOf('http-equiv')).toBeLessThan(html.indexOf('<script'))
    expect(html.replace(/\n {4}<meta http-equiv[^>]*>/, '')).toBe(PAGE)
    expect(() => withPolicy('<html></html>', '')).toThrow('charset')
  })
})

describe('_headers', () => {
  const headersOf = parseHeaders(
    headersFile({
      pages: ['index.html', 'perfetto.html', 'open.html', 'embed/a/index.html', 'embed/b/index.html'],
      policy: 'of pages',
      workers: new Map([['assets/worker-1.js', 'of worker']]),
    }),
  )

  it('names no page to other sites, and lets none of them use what the lab does not', () => {
    for (const path of ['/', '/embed/a/', '/perfetto.html', '/lessons/x/', '/404.html'])
      expect(headersOf(path)).toMatchObject({
        'referrer-policy': 'no-referrer',
        'permissions-policy': expect.stringMatching(
          /^accelerometer=\(\), .*camera=\(\), .*usb=\(\)/,
        ) as string,
      })
    // What is copied and shown large stays possible.
    expect(headersOf('/')['permissions-policy']).not.toMatch(/clipboard|fullscreen|isolated/)
    for (const page of ['index.html', 'open.html', 'perfetto.html'])
      expect(readFileSync(page, 'utf8')).toContain('<meta name="referrer" content="no-referrer" />')
  })

  it('gives each page and each worker its one policy', () => {
    for (const [path, policy] of [
      ['/', "of pages; frame-ancestors 'none'"],
      ['/index.html', "of pages; frame-ancestors 'none'"],
      ['/perfetto.html', "of pages; frame-ancestors 'none'"],
      ['/perfetto', "of pages; frame-ancestors 'none'"],
      ['/embed/a/', 'of pages'],
      ['/assets/worker-1.js', 'of worker'],
    ] as const)
      expect(headersOf(path)['content-security-policy'], path).toBe(policy)
    expect(headersOf('/assets/other.js')).not.toHaveProperty('content-security-policy')
  })

  it('lets other sites frame what is made for that, isolated ones too, and nothing else', () => {
    expect(headersOf('/embed/a/')['cross-origin-resource-policy']).toBe('cross-origin')
    expect(headersOf('/embed/a/')['cross-origin-embedder-policy']).toBe('require-corp')
    for (const path of ['/', '/assets/other.js'])
      expect(headersOf(path)['cross-origin-resource-policy'], path).toBe('same-origin')
  })

  it('isolates all but the pages that speak to another site', () => {
    for (const path of ['/', '/assets/worker-1.js'])
      expect(headersOf(path)).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      })
    for (const page of ['/perfetto.html', '/open.html', '/open'])
      expect(Object.keys(headersOf(page)).filter((name) => /opener|embedder/.test(name))).toEqual([])
  })
})
