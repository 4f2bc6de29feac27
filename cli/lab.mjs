/** `npm run lab`: installs what is missing, then hands over to lab-commands.ts. */
import { register } from 'node:module'
import { ensureDependencies } from './dependencies.mjs'
import { runCommand } from './terminal.mjs'

await runCommand(async () => {
  await ensureDependencies('for running')
  const tsx = await import('tsx/esm/api')
  tsx.register()
  // The colours of pictures are read from a style sheet.
  register('./raw-hooks.mjs', import.meta.url)
  const { lab } = await import('./lab-commands')
  return await lab(process.argv.slice(2))
})
