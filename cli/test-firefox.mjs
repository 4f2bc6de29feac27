/** `npm run test:firefox`: installs what is missing, then hands over to test-firefox.ts. */
import { ensureDependencies } from './dependencies.mjs'
import { runCommand } from './terminal.mjs'

await runCommand(async () => {
  await ensureDependencies()
  const { register } = await import('tsx/esm/api')
  register()
  const { testFirefox } = await import('./test-firefox')
  return await testFirefox(process.argv.slice(2))
})
