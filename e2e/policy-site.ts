/**
 * The built site on a host that sends headers or on one that cannot, and what its content security policy refused there. A page's own events
 * tell of what was refused in it. With headers the browser reports each violation to the host as well, those of workers and of their workers too.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { BrowserContext, Page, Worker } from '@playwright/test'
import { serveSite } from '../cli/static-server.mjs'
import { expect, test as base } from './fixtures'

export const POLICY = 'content-security-policy'
const REPORTS = '/violations'
/** An address that the policy refuses; asked for to see that refusals are counted. `.invalid` is nobody's. */
const PROBE = 'https://probe.invalid/'

type Hosting = 'headers' | 'no headers'

interface Site {
  readonly url: string
  /** Violations as the browser reported them to the host. */
  readonly reports: readonly string[]
  /** Paths that were asked for, with the policy that was sent. */
  readonly sent: ReadonlyMap<string, string | null>
  readonly close: () => Promise<void>
}

interface Report {
  readonly 'csp-report': Readonly<Record<'document-uri' | 'effective-directive' | 'blocked-uri', string>>
}

/** @param prefix stands before the engine's script, to change what it finds */
async function reportingSite(prefix: string): Promise<Site> {
  const site = await serveSite()
  const reports: string[] = []
  const sent = new Map<string, string | null>()
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    const path = asked.url ?? '/'
    if (path === REPORTS) {
      const { 'csp-report': report } = JSON.parse((await buffer(asked)).toString('utf8')) as Report
      const where = new URL(report['document-uri']).pathname
      reports.push(`${where}: ${report['effective-directive']} ${report['blocked-uri']}`)
      response.writeHead(204).end()
      return
    }
    const from = await fetch(new URL(path, site.url))
    const policy = from.headers.get(POLICY)
    sent.set(path, policy)
    const body = Buffer.from(await from.arrayBuffer())
    const isEngine = /\/worker-[^/]*\.js$/.test(path)
    const headers = Object.fromEntries(from.headers)
    delete headers['content-length']
    if (policy !== null) headers[POLICY] = `${policy}; report-uri ${REPORTS}`
    response.writeHead(from.status, headers).end(isEngine ? Buffer.concat([Buffer.from(prefix), body]) : body)
  }
  const server = createServer((asked, response) => {
    answer(asked, response).catch((thrown: unknown) => {
      response.destroy(thrown instanceof Error ? thrown : undefined)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('No port is free.')
  return {
    url: `http://localhost:${String(address.port)}/`,
    reports,
    sent,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await site.close()
    },
  }
}

class Violations {
  readonly #site: Site
  readonly #events: string[] = []

  private constructor(site: Site) {
    this.#site = site
  }
  /** Before the first page of the context is opened. */
  static async watch(context: BrowserContext, site: Site): Promise<Violations> {
    const violations = new Violations(site)
    await context.exposeBinding('refused', (_, what: string) => {
      violations.#events.push(what)
    })
    await context.addInitScript(() => {
      const { refused } = globalThis as typeof globalThis & { refused: (what: string) => void }
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        refused(`${location.pathname}: ${effectiveDirective} ${blockedURI}`)
      })
    })
    return violations
  }
  get events(): readonly string[] {
    return this.#events
  }
  get reports(): readonly string[] {
    return this.#site.reports
  }
  /** Nothing was refused so far; and one thing that is refused now is counted, so that this could have failed. */
  async expectNone(page: Page): Promise<void> {
    await page.evaluate((address) => {
      new Image().src = address
    }, PROBE)
    const counted = (seen: readonly string[]) => expect.poll(() => seen.some((each) => each.includes(PROBE)))
    await counted(this.#events).toBe(true)
    if (this.#site.sent.size > 0) await counted(this.reports).toBe(true)
    const others = [...this.#events, ...this.reports].filter((each) => !each.includes(PROBE))
    expect(others).toEqual([])
  }
}

interface Fixtures {
  readonly hosting: Hosting
  readonly prefix: string
  readonly site: Site
  readonly violations: Violations
}

/** `test.use({ hosting })` decides; pages and the lab's verbs are then on that host. */
export const test = base.extend<Fixtures>({
  hosting: ['headers', { option: true }],
  prefix: ['', { option: true }],
  site: async ({ hosting, prefix }, use) => {
    const site =
      hosting === 'headers'
        ? await reportingSite(prefix)
        : {
            ...(await serveSite({ base: '/some/where/', isolated: false })),
            reports: [],
            sent: new Map<string, string | null>(),
          }
    await use(site)
    await site.close()
  },
  baseURL: async ({ site }, use) => {
    await use(site.url)
  },
  violations: [
    async ({ context, site, errors }, use) => {
      errors.allow(/probe\.invalid/)
      await use(await Violations.watch(context, site))
    },
    { auto: true },
  ],
})

/** What came of an attempt: 'done', or the name of what was thrown. */
export type Attempts = Readonly<Record<string, string>>

/** Evaluates text in a page or worker. From a timer, since what is evaluated from outside is exempt from the policy. */
const evaluateText = (): Promise<Attempts> => {
  const attempt = (does: () => unknown): string => {
    try {
      does()
      return 'done'
    } catch (thrown) {
      return thrown instanceof Error ? thrown.name : String(thrown)
    }
  }
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve({
        // That they are refused is what is tried.
        // oxlint-disable-next-line no-eval
        eval: attempt(() => (0, eval)('1')),
        // oxlint-disable-next-line typescript/no-implied-eval
        Function: attempt(() => new Function('return 1')),
      })
    })
  })
}
export const evaluatedInPage = (page: Page): Promise<Attempts> => page.evaluate(evaluateText)
export const evaluatedInWorker = (worker: Worker): Promise<Attempts> => worker.evaluate(evaluateText)

export { expect } from '@playwright/test'
