import { join } from 'node:path'
import { readLock } from '../cli/locked-packages.mjs'
import { readJson } from '../cli/read-json.mjs'
import { ROOT } from '../cli/terminal.mjs'

/** Why the site cannot be built here, or null: a package that it is built of is not there. A machine that is lent may have been given fewer. */
export async function missingForBuild(): Promise<string | null> {
  const wanted = (await readLock(join(ROOT, 'package-lock.json'))) ?? {}
  const built = Object.entries(wanted)
    .filter(([path, { dev, optional, devOptional }]) => path !== '' && !dev && !optional && !devOptional)
    .map(([path]) => path)
  const tools = ['vite', 'rolldown', 'shiki', '@resvg/resvg-js', 'fontkit', '@fontsource/inter']
  for (const path of [...tools.map((name) => `node_modules/${name}`), ...built]) {
    if ((await readJson(join(ROOT, path, 'package.json'))) === null)
      return `the site cannot be built here: ${path} is missing`
  }
  return null
}
