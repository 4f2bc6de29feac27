/**
 * `npm run bench -- libraries`: pages of other libraries, recorded one after the other by `lab
 * record`, each with a check of its own.
 */
import { copyFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../cli/out-folder'
import { serveSite } from '../cli/static-server.mjs'
import { CommandError, say, step } from '../cli/terminal.mjs'
import { decodeRun } from '../src/trace/codec'
import { marksOf } from '../src/trace/schema'
import type { librariesArguments } from './arguments'
import { buildLibraryPages, PAGES_FOLDER } from './libraries-page'
import { recordPage } from './record-page'

/** Where it is free: it stands in what is recorded. */
const PORT = 4180

/** What the page said of its result; null where it did not come to one. */
async function resultIn(file: string): Promise<string | null> {
  const run = await decodeRun(await readFile(file))
  if (!run.ok) throw new CommandError(run.error.message)
  return marksOf(run.value.trace).find((mark) => /^(checked|failed): /.test(mark)) ?? null
}

export async function benchLibraries(args: ReturnType<typeof librariesArguments>): Promise<number> {
  const { adapter, names, build, prebuilt, query, out } = args
  if (!prebuilt) await step('Building pages into dist-pages/', () => buildLibraryPages(names))
  if (build) return 0
  await makeFolder(out)
  const site = await serveSite({ root: PAGES_FOLDER, port: PORT })
  const failed: string[] = []
  try {
    for (const name of names) {
      const folder = join(out, name)
      const kept = join(out, `${name}.hdl.gz`)
      try {
        await recordPage(`${site.url}${name}/index.html${query}`, adapter, folder)
        const result = await resultIn(join(folder, 'run.hdl.gz'))
        if (!result?.startsWith('checked: ')) throw new Error(result ?? 'it came to no end')
        await copyFile(join(folder, 'run.hdl.gz'), kept)
        console.log(`kept     ${kept} (${String((await stat(kept)).size)} bytes): ${result}\n`)
      } catch (thrown) {
        // The others are recorded all the same.
        failed.push(name)
        say(`not kept: ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
      }
    }
  } finally {
    await site.close()
  }
  return failed.length === 0 ? 0 : 1
}
