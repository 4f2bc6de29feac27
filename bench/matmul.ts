/**
 * `npm run bench -- matmul`: the lab's matmul and other libraries' on one device, in one page, in
 * turn.
 */
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../cli/out-folder'
import { progressLine, type ProgressLine } from '../cli/progress-line'
import { readJson } from '../cli/read-json.mjs'
import { CommandError, say } from '../cli/terminal.mjs'
import type { MatmulArguments } from './arguments'
import { buildBenchPage, ensureBenchPage, openBench, type Bench } from './matmul-page'
import { labFailed, METHOD, ratiosOf, rowOf, type Results } from './matmul-results'
import { measureShape } from './matmul-rounds'
import { formatShape, parseShapes } from './matmul-shapes'
import { markdownTable, notesText } from './matmul-tables'

type Measure = Extract<MatmulArguments, { readonly command: 'measure' }>

const GPU_SIZES = '512,1024,2048,4096,8192,4096x4096x64,64x4096x4096,1x4096x4096,1000x1000x1000'
/** A product of 512 takes 60 ms to half a second on two cores. */
const SOFTWARE_SIZES = '256,512,256x256x16,16x256x256,1x512x512,100x100x100'

async function measureAll(
  { driver, environment, adapterName }: Bench,
  args: Measure,
  versions: Results['versions'],
  line: ProgressLine,
): Promise<Results> {
  const shapes = args.shapes ?? parseShapes(environment.isSoftware ? SOFTWARE_SIZES : GPU_SIZES)
  let results: Results = {
    adapter: adapterName,
    userAgent: environment.userAgent,
    rows: [],
    date: new Date().toISOString(),
    versions,
    method: METHOD,
    ratios: [],
  }
  for (const [index, shape] of shapes.entries()) {
    const measured = await measureShape(driver, ['lab', ...args.peers], shape, (fraction, message) =>
      line.show((index + fraction) / shapes.length, `${formatShape(shape)}: ${message}`),
    )
    results = {
      ...results,
      rows: [...results.rows, ...measured.map((each) => rowOf(each, shape))],
      ratios: [...results.ratios, ...ratiosOf(measured, shape)],
    }
    // After every shape: a run that is cut short keeps what it has.
    if (args.json !== null) await writeFile(args.json, `${JSON.stringify(results, null, 2)}\n`)
  }
  return results
}

async function measure(args: Measure): Promise<number> {
  if (args.json !== null) await makeFolder(dirname(args.json), '--json')
  const versions = await ensureBenchPage(args.prebuilt)
  const bench = await openBench(args.adapter)
  const line = progressLine()
  try {
    say(`Matmul on ${bench.adapterName}`)
    const results = await measureAll(bench, args, versions, line)
    line.end()
    console.log(`${markdownTable(results)}\n\n${notesText(results)}`)
    if (args.json !== null) console.log(`written  ${args.json}`)
    return labFailed(results.rows) ? 1 : 0
  } finally {
    line.end()
    await bench.close()
  }
}

async function table(file: string): Promise<number> {
  const results = (await readJson(file)) as Results | null
  if (!results) throw new CommandError(`${file} is no results file.`, 2)
  console.log(markdownTable(results))
  return 0
}

export async function benchMatmul(args: MatmulArguments): Promise<number> {
  switch (args.command) {
    case 'table':
      return await table(args.file)
    case 'build':
      await buildBenchPage()
      return 0
    case 'measure':
      return await measure(args)
  }
}
