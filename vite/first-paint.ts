/**
 * What index.html shows before any JavaScript has arrived: the home page as its own components draw it, with the styles it needs, and the
 * tags by which other sites show a link to it. Only in a build; the development server serves the bare page.
 */
import { dirname, posix } from 'node:path'
import { createServer, type Plugin, type PluginOption, type Rolldown } from 'vite'
import { readLessons } from './words-md'

type OutputAsset = Rolldown.OutputAsset
type OutputChunk = Rolldown.OutputChunk

/** Style sheets of the home page and the first question besides the entry's, the later over the earlier. */
const SHEETS = ['run', 'lesson', 'HomePage']

interface FirstPaint {
  readonly firstPaint: () => Promise<string>
}

/** Drawn by the source itself, in a server of its own that goes with the build. */
async function drawn(root: string, plugins: readonly PluginOption[]): Promise<string> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [...plugins],
  })
  try {
    const module = (await server.ssrLoadModule('/src/ui/first-paint.tsx')) as FirstPaint
    // Nothing answers a press yet: a form would send itself, and load the page anew.
    return (await module.firstPaint()).replaceAll(/<(form|fieldset) /g, '<$1 inert ')
  } finally {
    await server.close()
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

type Bundle = Readonly<Record<string, OutputAsset | OutputChunk>>

const chunksOf = (bundle: Bundle): readonly OutputChunk[] =>
  Object.values(bundle).filter((each) => each.type === 'chunk')

/** The chunk with a module, and all that it imports. */
function chunksWith(bundle: Bundle, module: string): readonly string[] {
  const found = new Set<string>()
  const add = (file: string) => {
    const chunk = bundle[file]
    if (found.has(file) || chunk?.type !== 'chunk') return
    found.add(file)
    chunk.imports.forEach(add)
  }
  for (const chunk of chunksOf(bundle))
    if (chunk.moduleIds.some((id) => id.endsWith(module))) add(chunk.fileName)
  return [...found]
}

/** What each route needs besides the entry, so that it is asked for at once and not one after the other. */
function preloads(bundle: Bundle): Readonly<Record<string, readonly string[]>> {
  const all = readLessons()
  const ofLesson = (id: string) => {
    const words = all.find((lesson) => lesson.id === id)
    return [
      ...['lesson.md', 'code/pytorch.py?raw', 'cuda.ts', 'recorded.ts'].flatMap((file) =>
        chunksWith(bundle, `src/lessons/${id}/${file}`),
      ),
      ...(words?.kind === 'experiment'
        ? chunksWith(bundle, `src/experiments/${words.experiment}/meta.ts`)
        : []),
    ]
  }
  const entry = new Set(
    chunksOf(bundle).flatMap(({ isEntry, fileName, imports }) => (isEntry ? [fileName, ...imports] : [])),
  )
  const besides = (files: readonly string[]) => [...new Set(files)].filter((file) => !entry.has(file))
  const lessons = all.map(({ id }) => id)
  const page = chunksWith(bundle, 'src/ui/lesson/LessonPage.tsx')
  return {
    '#/': besides([...chunksWith(bundle, 'src/ui/home/HomePage.tsx'), ...ofLesson(lessons[0] ?? '')]),
    ...Object.fromEntries(lessons.map((id) => [`#/lessons/${id}`, besides([...page, ...ofLesson(id)])])),
  }
}

const preloadScript = (wanted: Readonly<Record<string, readonly string[]>>): string => `(function () {
  var wanted = ${JSON.stringify(wanted)}
  var route = /^#\\/lessons\\/[^/?]+/.exec(location.hash)
  var files = wanted[route ? route[0] : location.hash.length < 3 ? '#/' : ''] || []
  files.forEach(function (file) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = './' + file
    document.head.append(link)
  })
})()`

/** Any route but home shows its lesson's question instead; the words are in the page already, in the list of lessons. */
const ELSEWHERE = `(function () {
  var hash = location.hash.replace(/[?].*/, '')
  if (/^(#\\/?)?$/.test(hash)) return
  var main = document.getElementById('main')
  var lesson = /^#\\/lessons\\/[^/]+/.exec(hash)
  var link = lesson && main.querySelector('h3 a[href="' + lesson[0] + '"]')
  var heading = document.createElement('h1')
  heading.className = 'first-paint-heading'
  heading.textContent = link ? link.textContent : ''
  main.replaceChildren(heading)
  var current = document.querySelector('.site-nav [aria-current]')
  if (current && !link) current.removeAttribute('aria-current')
})()`

/** The theme that the visitor chose, before anything is painted. */
const THEME = `try {
  var theme = JSON.parse(localStorage.getItem('host-device-lab:view')).data.theme
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch (none) {}`

/** @param plugins those that the source needs to be loaded, made anew for each server */
export function firstPaint(plugins: () => readonly PluginOption[]): Plugin {
  let root = ''
  return {
    name: 'first-paint',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle, path }) {
        if (!path.endsWith('index.html')) return html
        const markup = await drawn(root, plugins())
        const [first] = readLessons()
        if (!bundle) throw new Error('Only a build knows its chunks.')
        if (!first) throw new Error('There is no lesson to open the page with.')
        const styles: string[] = []
        const links: string[] = []
        // The styles of the first page stand in the page: a link to each would be waited for.
        const inlined = html.replace(
          /\s*<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/g,
          (link, file: string) => {
            const asset = bundle[file]
            if (asset?.type !== 'asset') return link
            styles.push(withUrls(String(asset.source), file))
            return standIn(file)
          },
        )
        for (const name of SHEETS)
          for (const [file, asset] of Object.entries(bundle))
            if (asset.type === 'asset' && file.startsWith(`assets/${name}-`) && file.endsWith('.css')) {
              styles.push(withUrls(String(asset.source), file))
              links.push(standIn(file))
            }
        return inlined
          .replace(
            '</head>',
            `${links.join('')}<style>${styles.join('\n')}</style><script>${THEME}\n${preloadScript(preloads(bundle))}</script></head>`,
          )
          .replace('<div id="root"></div>', `<div id="root">${markup}</div><script>${ELSEWHERE}</script>`)
          .replaceAll('%FIRST_QUESTION%', escaped(first.question))
      },
    },
  }
}

/** Not fetched. It is there for the loader of chunks, which else adds the sheet again, behind those that are to outweigh it. */
const standIn = (file: string): string => `<link rel="stylesheet" disabled crossorigin href="./${file}">`

/** Addresses in a style sheet are relative to it; in the page they are relative to the page. */
const withUrls = (css: string, file: string): string =>
  css.replace(/url\((["']?)(?!data:|#|https?:|\/)([^)"']+)\1\)/g, (_, quote: string, url: string) => {
    const address = posix.normalize(posix.join(dirname(file), url))
    return `url(${quote}./${address}${quote})`
  })
