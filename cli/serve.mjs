/** The static server as a process of its own, for Playwright's webServer: `node cli/serve.mjs --port 4321 [--base /a/b/] [--no-isolation]`. */
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
    },
  })
  await ensureSite()
  const isolated = !values['no-isolation']
  const site = await serveSite({ port: Number(values.port), fallback: false, base: values.base, isolated })
  say(`Serving dist/ at ${site.url}`)
  return 0
})
