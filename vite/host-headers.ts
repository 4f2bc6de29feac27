/**
 * What a host is to send: `_headers`, in the notation of Cloudflare Pages and Netlify, written from what was built; cli/static-server.mjs
 * sends it too. For hosts that read no such file the policy stands in each page as well.
 */
import type { Plugin } from 'vite'
import { headersFile } from './headers-file'
import { inlineOf, pagePolicy, withPolicy, workerPolicy, type WorkerNeeds } from './policy'

/** Shown at any address, so under the policy of any folder's pages: each lets its scripts through. */
const NOT_FOUND = '404.html'

const LIBRARY = '/onnxruntime-web/'

export interface HostHeaders {
  /** For the site's build. */
  readonly plugin: Plugin
  /** For the build of each worker: scripts that become one. */
  readonly ofWorkers: () => Plugin
}

export function hostHeaders(): HostHeaders {
  const workers = new Map<string, WorkerNeeds>()
  return {
    plugin: {
      name: 'host-headers',
      apply: 'build',
      generateBundle: {
        order: 'post',
        handler(_, bundle) {
          const pages = new Map<string, string>()
          const notFound = bundle[NOT_FOUND]
          const anywhere = notFound?.type === 'asset' ? inlineOf(String(notFound.source)).scripts : []
          for (const [file, asset] of Object.entries(bundle)) {
            if (asset.type !== 'asset' || !file.endsWith('.html')) continue
            const html = String(asset.source)
            const { scripts, styles } = inlineOf(html)
            const policy = pagePolicy({ scripts: [...new Set([...scripts, ...anywhere])], styles })
            pages.set(file, policy)
            asset.source = withPolicy(html, policy)
          }
          const byFile = [...workers].sort(([a], [b]) => (a < b ? -1 : 1))
          const policies = new Map(byFile.map(([file, needs]) => [file, workerPolicy(needs)]))
          this.emitFile({
            type: 'asset',
            fileName: '_headers',
            source: headersFile({ pages, workers: policies }),
          })
        },
      },
    },
    ofWorkers: () => ({
      name: 'host-headers-of-workers',
      generateBundle(_, bundle) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
        const withLibrary = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(LIBRARY)))
        // The library's threads run the chunk that it is in; they are given a module that is compiled already.
        for (const { fileName } of withLibrary) workers.set(fileName, { hasWebAssembly: false })
        for (const { fileName, isEntry } of chunks)
          if (isEntry) workers.set(fileName, { hasWebAssembly: withLibrary.length > 0 })
      },
    }),
  }
}
