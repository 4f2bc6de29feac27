import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Inline, Quantities } from './Inline'

const keptWhole = (text: string): readonly string[] =>
  [...renderToStaticMarkup(<Quantities text={text} />).matchAll(/<span class="number">([^<]*)<\/span>/g)].map(
    ([, part = '']) => part,
  )

it('keeps a figure and its unit on one line, whichever space is between them', () => {
  expect(keptWhole('busy 9.1\u2009% ±\u20090.2 with kernels of 0.00837 ms, the shortest')).toEqual([
    '9.1\u2009% ±\u20090.2',
    '0.00837 ms',
  ])
  expect(keptWhole('25.9 % at 53.9 GB/s, 64 MiB, 5 µs.')).toEqual(['25.9 %', '53.9 GB/s', '64 MiB', '5 µs'])
  expect(keptWhole('64 steps, 4 bytes, 2 s')).toEqual(['2 s'])
})

it('keeps what follows a word of the glossary on its line', () => {
  const tails = (text: string): readonly string[] =>
    [
      ...renderToStaticMarkup(<Inline text={text} />).matchAll(
        /class="with-tail">.*?<\/button>.*?<\/span>([^<]*)/g,
      ),
    ].map(([, tail = '']) => tail)
  expect(tails('a [kernel](#kernel), or **[[host:the host]].** And [it](#kernel) too')).toEqual([',', '.'])
  expect(renderToStaticMarkup(<Inline text="a [kernel](#kernel), or" />)).toContain('</span> or')
})
