/**
 * `npm run bench`: installs what is missing (not with --prebuilt: that machine may have no
 * registry), then hands over to bench.ts.
 */
import { ensureDependencies } from '../cli/dependencies.mjs'
import { runCommand } from '../cli/terminal.mjs'

await runCommand(async () => {
  if (!process.argv.includes('--prebuilt')) await ensureDependencies('for running')
  const { register } = await import('tsx/esm/api')
  register()
  const { bench } = await import('./bench')
  return await bench(process.argv.slice(2))
})
