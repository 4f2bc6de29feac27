/** `npm run lab`: installs what is missing, then hands over to lab.ts. */
import { register as registerHooks } from 'node:module'
import { ensureDependencies } from './dependencies.mjs'
import { runCommand } from './terminal.mjs'

await runCommand(async () => {
  await ensureDependencies('for running')
  const { register } = await import('tsx/esm/api')
  register()
  if (process.argv[2] === 'model') {
    // Alone: what the other commands need takes seconds to load.
    const { model } = await import('./lab-model')
    return await model(process.argv.slice(3))
  }
  // The colours of pictures are read from a style sheet.
  registerHooks('./raw-hooks.mjs', import.meta.url)
  const { lab } = await import('./lab')
  return await lab(process.argv.slice(2))
})
