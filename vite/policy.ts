/**
 * The content security policy of the site, in one place: of its pages (by hash for what stands in
 * them) and of its workers. A worker whose script comes over the network has the policy of that
 * script's own response, or none; one made from a blob has its page's.
 */
import { createHash } from 'node:crypto'

/**
 * Texts between the tags of a page's scripts, without blocks of data, which no policy refuses.
 *
 * @throws where the markup has what no hash lets through: a style, an event handler, a
 * `javascript:` address
 */
export function inlineScripts(html: string): readonly string[] {
  const scripts: string[] = []
  const markup = html.replaceAll(
    /(<script\b(?![^>]*\s(?:src=|type="application\/ld\+json"))[^>]*>)([^]*?)<\/script>/g,
    (_, tag: string, text: string) => {
      scripts.push(text)
      return tag
    },
  )
  const refused =
    /<style|<[a-z][^>]*?\s(?:style|on[a-z]+)\s*=[^>]*>|<[a-z][^>]*=\s*["']?\s*javascript:[^>]*>/i.exec(markup)
  if (refused) throw new Error(`The policy refuses this in a page: ${refused[0].slice(0, 200)}`)
  return scripts
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`

const policy = (directives: readonly (readonly string[])[]): string =>
  directives.map((words) => words.join(' ')).join('; ')

/**
 * Of pages with these scripts in their markup. Nothing is evaluated from text, and nothing comes
 * from or goes to another site.
 */
export const pagePolicy = (scripts: Iterable<string>): string =>
  policy([
    ['default-src', "'none'"],
    ['script-src', "'self'", ...Array.from(scripts, hashOf)],
    ['style-src', "'self'"],
    ['img-src', "'self'"],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['worker-src', "'self'", 'blob:'],
    ['base-uri', "'self'"], // each page names the site's root
    ['form-action', "'none'"],
    TRUSTED_SCRIPTS,
    ['trusted-types', 'default'],
  ])

const TRUSTED_SCRIPTS = ['require-trusted-types-for', "'script'"] as const

/** @param hasWebAssembly it compiles WebAssembly that it fetches, and starts threads for it */
export const workerPolicy = (hasWebAssembly: boolean): string =>
  policy(
    hasWebAssembly
      ? [
          ['default-src', "'none'"],
          ['script-src', "'self'", "'wasm-unsafe-eval'"],
          ['connect-src', "'self'"],
          ['worker-src', "'self'"],
        ]
      : [['default-src', "'none'"], ['script-src', "'self'"], TRUSTED_SCRIPTS],
  )

/**
 * The service worker starts no worker: it fetches the scripts of those that pages start. WebKit
 * (2.50) holds such a request against `worker-src` of whoever fetches it, the others against
 * `connect-src`. Without it no worker starts once a page has a service worker.
 */
export const SERVICE_WORKER_POLICY = policy([
  ['default-src', "'none'"],
  ['connect-src', "'self'"],
  ['worker-src', "'self'"],
  TRUSTED_SCRIPTS,
])

/** For hosts that send no headers. As early as can be: a policy holds for what stands behind it. */
export function withPolicy(html: string, text: string): string {
  const charset = /<meta charset="[^"]*"\s*\/?>/.exec(html)
  if (!charset) throw new Error('A page has no <meta charset>, behind which its policy stands.')
  const end = charset.index + charset[0].length
  // The policy has single quotes only.
  return `${html.slice(0, end)}\n    <meta http-equiv="Content-Security-Policy" content="${text}" />${html.slice(end)}`
}
