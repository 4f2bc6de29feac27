/**
 * What a host is to send: `_headers`, in the notation of Cloudflare Pages and Netlify, written from
 * what was built; cli/static-server.mjs reads and sends it too. For hosts that read no such file
 * the policy stands in each page as well.
 */
import type { Plugin } from 'vite'
import { ISOLATION, PERMISSIONS } from '../src/site/offline/serving'
import { SERVICE_WORKER } from '../src/site/offline/site-files'
import { inlineScripts, pagePolicy, SERVICE_WORKER_POLICY, withPolicy, workerPolicy } from './policy'

const POLICY = 'Content-Security-Policy'
const RESOURCES = 'Cross-Origin-Resource-Policy'

/** Lessons for frames in pages of other sites, isolated ones among them. */
const FOR_FRAMES = 'embed/'

/**
 * Who may frame a page is said by header alone: in the page the browser passes it over. Without
 * headers the page itself sees where it stands (src/main.tsx), and shows nothing.
 */
const framedBy = (path: string, policy: string): string =>
  path.startsWith(`/${FOR_FRAMES}`) ? policy : `${policy}; frame-ancestors 'none'`

/**
 * Some hosts serve a page without its ending. All pages of a folder at once: some hosts take a
 * hundred rules and no more.
 */
const pathsOf = (page: string): readonly string[] => {
  const folder = page.split('/').slice(0, -1)
  if (folder.length > 0) return [`/${folder[0] ?? ''}/*`]
  return page === 'index.html' ? ['/', '/index.html'] : [`/${page}`, `/${page.replace(/\.html$/, '')}`]
}

/**
 * These speak to a window of another site, which an isolated page may not
 * (src/site/perfetto-page.ts, src/site/open-page.ts).
 */
const NEVER_ISOLATED = ['perfetto.html', 'open.html'].flatMap((page) => pathsOf(page))

const rule = (path: string, headers: readonly string[]): string =>
  [path, ...headers.map((header) => `  ${header}`)].join('\n')

interface Built {
  readonly pages: readonly string[]
  /** Of all pages. */
  readonly policy: string
  /** The policy of each, by its file. */
  readonly workers: ReadonlyMap<string, string>
}

/** No two rules give one file a policy: hosts differ in what they then send. @internal */
export function headersFile({ pages, policy, workers }: Built): string {
  const always = {
    ...ISOLATION,
    ...PERMISSIONS,
    // Each page says it in a tag as well.
    'Referrer-Policy': 'no-referrer',
    [RESOURCES]: 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  }
  return `${[
    '# Written by the build (vite/host-headers.ts) for hosts that read this file.',
    rule(
      '/*',
      Object.entries(always).map(([name, value]) => `${name}: ${value}`),
    ),
    rule('/assets/*', ['Cache-Control: public, max-age=31536000, immutable']),
    rule(`/${SERVICE_WORKER}`, ['Cache-Control: no-cache', `${POLICY}: ${SERVICE_WORKER_POLICY}`]),
    ...Array.from(new Set(pages.flatMap(pathsOf)), (path) =>
      rule(path, [
        ...(NEVER_ISOLATED.includes(path) ? Object.keys(ISOLATION).map((name) => `! ${name}`) : []),
        ...(path === `/${FOR_FRAMES}*` ? [`! ${RESOURCES}`, `${RESOURCES}: cross-origin`] : []),
        `${POLICY}: ${framedBy(path, policy)}`,
      ]),
    ),
    ...[...workers].map(([file, own]) => rule(`/${file}`, [`${POLICY}: ${own}`])),
  ].join('\n')}\n`
}

const LIBRARY = '/onnxruntime-web/'

export function hostHeaders(): { readonly plugin: Plugin; readonly ofWorkers: () => Plugin } {
  const workers = new Map<string, string>()
  return {
    /** For the site's build. */
    plugin: {
      name: 'host-headers',
      apply: 'build',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          const pages = Object.values(bundle)
            .filter((each) => each.type === 'asset')
            .filter(({ fileName }) => fileName.endsWith('.html'))
          // One for all: 404.html is shown at any address, so under the policy of any folder's
          // pages.
          const policy = pagePolicy(new Set(pages.flatMap(({ source }) => inlineScripts(String(source)))))
          for (const page of pages) page.source = withPolicy(String(page.source), policy)
          const byFile = [...workers].sort(([a], [b]) => (a < b ? -1 : 1))
          this.emitFile({
            type: 'asset',
            fileName: '_headers',
            source: headersFile({
              pages: pages.map(({ fileName }) => fileName),
              policy,
              workers: new Map(byFile),
            }),
          })
        },
      },
    },
    ofWorkers: () => ({
      name: 'host-headers-of-workers',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
        const withLibrary = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(LIBRARY)))
        // The library's threads run the chunk that it is in; they are given a module that is
        // compiled already.
        for (const { fileName } of withLibrary) workers.set(fileName, workerPolicy(false))
        for (const { fileName, isEntry } of chunks)
          if (isEntry) workers.set(fileName, workerPolicy(withLibrary.length > 0))
      },
    }),
  }
}
