/** `npm run fuzz`: installs what is missing, then hands over to fuzz.ts. */
import { ensureDependencies } from './dependencies.mjs'
import { runCommand } from './terminal.mjs'

await runCommand(async () => {
  await ensureDependencies('for developing')
  const { register } = await import('tsx/esm/api')
  register()
  const { fuzz } = await import('./fuzz')
  return await fuzz(process.argv.slice(2))
})
