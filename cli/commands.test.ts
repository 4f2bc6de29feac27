/** The parts of the plain-Node commands that decide something. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DIST, sourceHash } from './build-site.mjs'
import { fileFor } from './static-server.mjs'
import { progressLine } from './progress-line'
import { formatFigure, textTable } from './text-table'

describe('what the built site depends on', () => {
  it('includes the words of the lessons, and neither tests nor what is written about the code', async () => {
    const nothing = await sourceHash([])
    for (const path of [
      'src/lessons/sync-stalls/lesson.md',
      'src/lessons/sync-stalls/mend/programs.edits',
      'src/lessons/glossary.md',
      'src/site/ui/App.tsx',
    ])
      expect(await sourceHash([path]), path).not.toBe(nothing)
    for (const path of ['src/README.md', 'src/trace/CHANGELOG.md', 'src/site/ui/format.test.ts'])
      expect(await sourceHash([path]), path).toBe(nothing)
  })
})

describe('what the static server gives', () => {
  it('is a file in dist/, and the index of a folder', () => {
    expect(fileFor('/assets/a.js', '/', DIST)).toBe(join(DIST, 'assets', 'a.js'))
    expect(fileFor('/', '/', DIST)).toBe(join(DIST, 'index.html'))
    expect(fileFor('/some/where/', '/some/where/', DIST)).toBe(join(DIST, 'index.html'))
  })
  it.each(['/../package.json', '/assets/../../package.json', '/..', '/../dist-of-another/x'])(
    'is never outside it: %s',
    (path) => expect(fileFor(path, '/', DIST)).toBeNull(),
  )
  it('is a file of another folder, where that is the root, and never outside it', () => {
    const root = join(DIST, '..', 'dist-bench')
    expect(fileFor('/index.html', '/', root)).toBe(join(root, 'index.html'))
    expect(fileFor('/../dist/index.html', '/', root)).toBeNull()
  })
  it('is nothing outside its base path', () =>
    expect(fileFor('/index.html', '/some/where/', DIST)).toBeNull())
})

describe('tables and progress', () => {
  it('lines columns up, numbers to the right, by characters and not by bytes', () => {
    expect(
      textTable(
        [
          ['a', '1'],
          ['µµµ', '10'],
        ],
        [1],
      ),
    ).toBe('a     1\nµµµ  10')
  })
  it.each([
    [0, '0'],
    [0.123456, '0.1235'],
    [1234.56, '1235'],
    [1e-5, '1.000e-5'],
    [12345678, '1.235e+7'],
  ])('%d is written %s', (value, text) => expect(formatFigure(value)).toBe(text))
  it('writes a line per message where there is no terminal, and one line in place where there is', () => {
    const written: string[] = []
    const plain = progressLine({ write: (text) => written.push(text) })
    plain.show(0.1, 'warm-up')
    plain.show(0.2, 'warm-up')
    plain.show(0.3, 'repeat 1')
    plain.end()
    expect(written).toEqual([' 10 % warm-up\n', ' 30 % repeat 1\n'])

    const inPlace: string[] = []
    const bar = progressLine({ isTTY: true, columns: 40, write: (text) => inPlace.push(text) })
    bar.show(0.5, 'a message that is longer than the terminal is wide')
    bar.end()
    expect(inPlace.every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true)
    expect((inPlace[0] ?? '').replace(/^\r\S*K/, '').length).toBeLessThan(40)
  })
})
