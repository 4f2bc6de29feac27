/**
 * `import { lines } from './x.wgsl?highlight'`: source text, highlighted while the site is built,
 * so that no highlighter reaches the visitor. A line is a list of tokens: plain text, or [text,
 * kind]. The kinds are class names; theme.css has their colours for light and dark.
 */
import { readFile } from 'node:fs/promises'
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import javascript from 'shiki/langs/javascript.mjs'
import python from 'shiki/langs/python.mjs'
import typescript from 'shiki/langs/typescript.mjs'
import wgsl from 'shiki/langs/wgsl.mjs'
import type { Plugin } from 'vite'
import type { HighlightedLines } from '../src/site/ui/source/lines'
import { once } from './once'
import { dataModule } from './data-module'

const QUERY = '?highlight'

/** shiki's CSS-variable theme names a variable per kind of token instead of a colour. */
const THEME = 'lab'
const theme = createCssVariablesTheme({ name: THEME, variablePrefix: '--code-' })
const KIND_OF_COLOUR = /^var\(--code-token-([a-z-]+)\)$/

const languageOf = (file: string): 'python' | 'javascript' | 'typescript' | 'wgsl' => {
  if (file.endsWith('.py')) return 'python'
  if (file.endsWith('.wgsl')) return 'wgsl'
  if (file.endsWith('.js')) return 'javascript'
  if (file.endsWith('.ts') || file.endsWith('.ts.txt')) return 'typescript'
  throw new Error(`No language to highlight ${file} as.`)
}

export function highlight(source: string, file: string): Promise<HighlightedLines> {
  const language = languageOf(file)
  return once(`highlight ${language} ${source}`, () => highlighted(source, language))
}

/**
 * The four languages by V8's own regular expressions: the same tokens as by Oniguruma's, in two
 * thirds of the time.
 */
const highlighter = () =>
  once('highlighter', () =>
    createHighlighterCore({
      engine: createJavaScriptRegexEngine(),
      themes: [theme],
      langs: [python, javascript, typescript, wgsl],
    }),
  )

async function highlighted(source: string, lang: ReturnType<typeof languageOf>): Promise<HighlightedLines> {
  const { tokens } = (await highlighter()).codeToTokens(source.replace(/\n$/, ''), {
    lang,
    theme: THEME,
    // No limit (left out: 500 ms a line), or a busy machine builds a site with other colours.
    tokenizeTimeLimit: 0,
  })
  return tokens.map((line) => {
    const merged: { text: string; kind: string }[] = []
    for (const { content, color } of line) {
      const kind = KIND_OF_COLOUR.exec(color ?? '')?.[1] ?? ''
      const last = merged.at(-1)
      // White space has no colour: let it join what stands before it.
      if (last && (last.kind === kind || content.trim() === '')) last.text += content
      else merged.push({ text: content, kind })
    }
    return merged.map(({ text, kind }) => (kind === '' ? text : ([text, kind] as const)))
  })
}

export const highlightedSource = (): Plugin => ({
  name: 'highlighted-source',
  enforce: 'pre',
  load: {
    filter: { id: /\?highlight$/ },
    async handler(id) {
      const file = id.slice(0, -QUERY.length)
      this.addWatchFile(file)
      return dataModule({ lines: await highlight(await readFile(file, 'utf8'), file) })
    },
  },
})
