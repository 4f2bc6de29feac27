/**
 * node cli/keep-gradings.mjs FOLDER: of each FOLDER/<lesson>.br, recorded by e2e/mends-all.spec.ts on a GPU, what the checks read becomes
 * src/lessons/<lesson>/mend/testing/gradings.br.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createServer } from 'vite'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder of the recorded gradings.')
const root = join(import.meta.dirname, '..')
// The checks' files are imported as the site's are: with shaders and words.
const vite = await createServer({
  root,
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  appType: 'custom',
})
try {
  const { keepLesson } = /** @type {typeof import('../src/mend/testing/keep-lesson')} */ (
    await vite.ssrLoadModule('/src/mend/testing/keep-lesson.ts')
  )
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.br')) continue
    const lesson = file.slice(0, -'.br'.length)
    const path = join(root, 'src/lessons', lesson, 'mend/testing/gradings.br')
    await mkdir(dirname(path), { recursive: true })
    const bytes = await keepLesson(lesson, await readFile(join(folder, file)))
    await writeFile(path, bytes)
    console.log(`${lesson}  ${String(Math.round(bytes.length / 1000))} kB`)
  }
} finally {
  await vite.close()
}
