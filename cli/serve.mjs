/**
 * The static server as a process of its own, for Playwright's webServer: `node cli/serve.mjs --port
 * 4321 [--base /a/b/] [--no-isolation] [--host NAME]`.
 */
import { parseArgs } from 'node:util'
import { ensureSite } from './build-site.mjs'
import { serveSite } from './static-server.mjs'
import { runCommand, say } from './terminal.mjs'

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4173' },
      base: { type: 'string', default: '/' },
      'no-isolation': { type: 'boolean', default: false },
      host: { type: 'string', multiple: true, default: [] },
    },
  })
  await ensureSite()
  const isolated = !values['no-isolation']
  const { port, base, host: hosts } = values
  const site = await serveSite({ port: Number(port), fallback: false, base, isolated, hosts })
  say(`Serving dist/ at ${site.url}`)
  return 0
})
