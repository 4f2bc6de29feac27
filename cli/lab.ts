/**
 * `npm run lab -- list | run | record | record-lessons | analyze | check`: the lab without a window. Each command
 * is loaded when it is called: a browser's driver and the analysis take longer to load than the rest to answer.
 */
import { parseLabArguments, USAGE } from './lab-arguments'

export async function lab(argv: readonly string[]): Promise<number> {
  const args = await parseLabArguments(argv)
  switch (args.command) {
    case 'help':
      console.log(USAGE)
      return 0
    case 'list': {
      const [{ experiments }, { listJson, listText }] = await Promise.all([
        import('./catalog'),
        import('./lab-texts'),
      ])
      console.log(args.json ? JSON.stringify(listJson(experiments), null, 2) : listText(experiments))
      return 0
    }
    case 'run':
      return await (await import('./lab-run')).run(args)
    case 'record':
      return await (await import('./lab-record')).record(args)
    case 'record-lessons':
      return await (await import('./lab-record-lessons')).recordLessons(args)
    case 'analyze':
      return await (
        await import('./lab-analyze-ranks')
      ).analyze(args, async () => (await import('./summary-png')).summaryPng)
    case 'check':
      return await (await import('./lab-check')).check(args)
  }
}
