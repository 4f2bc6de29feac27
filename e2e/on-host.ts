/**
 * A test with a site of its own: on the plainest of hosts, which has a path of its own, no headers
 * and no page for what it has not, or as `host` says.
 */
import { serveSite, type ServerOptions, type SiteServer } from '../cli/static-server.mjs'
import { test } from './fixtures'

export const onHost = test.extend<{ readonly host: ServerOptions; readonly site: SiteServer }>({
  host: [{ base: '/some/where/', isolated: false }, { option: true }],
  site: async ({ host }, use) => {
    const site = await serveSite(host)
    await use(site)
    await site.close()
  },
  baseURL: async ({ site }, use) => await use(site.url),
})
