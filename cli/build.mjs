/** `npm run build`: the site into dist/, whether or not it has changed. */
import { buildSite } from './build-site.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { runCommand } from './terminal.mjs'

await runCommand(async () => {
  await ensureDependencies('for running')
  await buildSite()
  return 0
})
