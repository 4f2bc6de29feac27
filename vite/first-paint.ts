/**
 * A file for every page, with what it shows before any JavaScript has arrived: the page as its own
 * components draw it, with the files it needs, and the tags by which other sites show a link to it.
 * Only in a build; the development server serves the bare page.
 */
import { posix } from 'node:path'
import { createServer, type Plugin, type PluginOption, type ResolvedConfig, type Rolldown } from 'vite'
import type * as FirstPaint from '../src/site/ui/first-paint'
import type { SitePage } from '../src/site/ui/first-paint'
import { SHELL } from '../src/site/offline/site-files'
import type { Thumbnail } from '../src/strips/thumbnail'
import { ranksPicture } from './question-index'
import { findThumbnail, ranksThumbnail, recordedExcerpt, thumbnailOf } from './thumbnails'
import { readLessons } from './words-md'

type OutputAsset = Rolldown.OutputAsset
type OutputChunk = Rolldown.OutputChunk

/** Files of the source, and the lesson whose words they show. */
interface Needed {
  readonly modules: readonly string[]
  readonly lesson: string | null
}
type DrawnPage = SitePage & {
  readonly markup: string
  readonly needs: Needed
}

/** The pages, drawn by the source itself, in a server of its own that goes with the build. */
async function drawn(root: string, plugins: readonly PluginOption[]) {
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
    const { sitePages, notFoundPage, drawPage, neededBy, thumbnailSvg, replaySvg } =
      (await server.ssrLoadModule('/src/site/ui/first-paint.tsx')) as typeof FirstPaint
    const fileOf = (module: object): string => {
      for (const { file, ssrModule } of server.moduleGraph.idToModuleMap.values())
        if (ssrModule === module && file !== null) return posix.relative(root, file)
      throw new Error('A page lies in a module that was not loaded.')
    }
    const needsOf = async (page: SitePage): Promise<Needed> => {
      const { modules, lab, lesson } = await neededBy(page.route)
      return {
        modules: [
          ...modules.map(fileOf),
          ...(lab ? ['src/site/make-lab.ts'] : []),
          ...(lesson === null ? [] : ['src/site/ui/lesson/screens.tsx']),
        ],
        lesson,
      }
    }
    // Nothing answers a press yet: a form would send itself, and load the page anew.
    const draw = async (page: SitePage): Promise<DrawnPage> => ({
      ...page,
      markup: (await drawPage(page)).replaceAll(/<(form|fieldset) /g, '<$1 inert '),
      needs: await needsOf(page),
    })
    const pages: DrawnPage[] = []
    for (const page of sitePages) pages.push(await draw(page))
    /** SVG by the name of its file. */
    const thumbnails = new Map<string, string>()
    const keep = (name: string, drawn: Thumbnail | null) => drawn && thumbnails.set(name, thumbnailSvg(drawn))
    const lessons = await readLessons()
    for (const lesson of lessons) {
      keep(lesson.id, await thumbnailOf(lesson))
      if (lesson.kind === 'profiles') keep(ranksPicture(lesson.id), await ranksThumbnail(lesson))
    }
    keep('find', await findThumbnail())
    const run = lessons[0] && (await recordedExcerpt(lessons[0]))
    const replay = run && replaySvg(run)
    if (typeof replay === 'string') thumbnails.set('replay', replay)
    return { pages, notFound: await draw(notFoundPage), thumbnails }
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

/**
 * What a page needs besides the entry, so that it is asked for at once and not one after the other.
 */
function filesFor(bundle: Bundle, { modules, lesson }: Needed): readonly string[] {
  const ofLesson = (id: string) =>
    ['lesson.md', 'code/pytorch.py?raw'].flatMap((file) => chunksWith(bundle, `src/lessons/${id}/${file}`))
  const entry = new Set(
    chunksOf(bundle).flatMap(({ isEntry, fileName, imports }) => (isEntry ? [fileName, ...imports] : [])),
  )
  const files = [
    ...modules.flatMap((module) => {
      const chunks = chunksWith(bundle, module)
      if (chunks.length === 0) throw new Error(`No file of the build has ${module}.`)
      return chunks
    }),
    ...(lesson === null ? [] : ofLesson(lesson)),
  ]
  return [...new Set(files)].filter((file) => !entry.has(file))
}

/**
 * A screen of its own: what was drawn here is not what will be shown. A lesson's question is in the
 * page already, as its heading.
 */
const ELSEWHERE = `(function () {
  var hash = location.hash.replace(/[?].*/, '')
  if (hash === '' || hash === '#') return
  var main = document.getElementById('main')
  var own = main.querySelector('h1')
  var heading = document.createElement('h1')
  heading.className = 'first-paint-heading'
  heading.textContent = own ? own.textContent : ''
  main.replaceChildren(heading)
  while (main.parentNode.lastElementChild.tagName === 'ARTICLE') main.parentNode.lastElementChild.remove()
})()`

/**
 * A host answers with this page whatever was asked for, at any depth, so where the site lies is
 * found out: at the first folder above that has the site's own script. Only then can its links lead
 * anywhere.
 * @param siteUrl where that is known, the first to be tried
 */
const findRoot = (entry: string, sheet: string, siteUrl: string | null): string => `(function () {
  var entry = ${JSON.stringify(entry)}
  var roots = ['/']
  location.pathname.split('/').slice(1, -1).forEach(function (folder) { roots.push(roots[roots.length - 1] + folder + '/') })
  ${siteUrl === null ? '' : `roots.unshift(${JSON.stringify(new URL(siteUrl).pathname)})`}
  document.querySelector('#main .lead').textContent = 'There is no page ‘' + location.pathname + '’.'
  function at(index) {
    return index < roots.length && fetch(roots[index] + entry, { method: 'HEAD' }).then(function (answer) {
      if (!answer.ok) return at(index + 1)
      document.querySelector('base').href = roots[index]
      document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: ${JSON.stringify(sheet)} }))
      return import(roots[index] + entry)
    })
  }
  at(0)
})()`

const SITE_IMAGE = 'preview.png'

/** '../' as often as the page lies deep: what every address in it is relative to. */
const rootFrom = (file: string): string => '../'.repeat(file.split('/').length - 1) || './'

const tag = (kind: 'name' | 'property', key: string, value: string): string =>
  `<meta ${kind}="${key}" content="${escaped(value)}" />`

/** https://schema.org/QAPage. A block of data: no script runs in it. */
function askedAndAnswered(name: string, text: string): string {
  const page = {
    '@context': 'https://schema.org',
    '@type': 'QAPage',
    mainEntity: { '@type': 'Question', name, answerCount: 1, acceptedAnswer: { '@type': 'Answer', text } },
  }
  return `<script type="application/ld+json">${JSON.stringify(page).replaceAll('<', '\\u003c')}</script>`
}

/** Tags of index.html that say what a page is, as they are for this one. */
function described(
  html: string,
  { title, description, file, inSteadOf, answer }: DrawnPage,
  siteUrl: string | null,
): string {
  const heading = title.replace(/ · Host\/Device Lab$/, '')
  const own = siteUrl === null ? null : new URL(file.replace(/index\.html$/, ''), siteUrl).href
  // Relative to the site's root, as all links are, where its address is not known.
  const other = inSteadOf === undefined || siteUrl === null ? inSteadOf : new URL(inSteadOf, siteUrl).href
  const canonical = other ?? own
  const more = [
    ...(other === undefined ? [] : [tag('name', 'robots', 'noindex')]),
    ...(answer === undefined ? [] : [askedAndAnswered(heading, answer)]),
    ...(canonical === null ? [] : [`<link rel="canonical" href="${escaped(canonical)}" />`]),
    ...(own === null || other !== undefined ? [] : [tag('property', 'og:url', own)]),
  ]
  return html
    .replace(/<title>[^<]*<\/title>/, `<title>${escaped(title)}</title>`)
    .replaceAll(
      /<meta\s+(name|property)="(description|(?:og|twitter):(?:title|description|image))"[^>]*>/g,
      (whole, kind: 'name' | 'property', key: string) => {
        if (key.endsWith('image'))
          return siteUrl === null ? whole : tag(kind, key, new URL(SITE_IMAGE, siteUrl).href)
        return tag(kind, key, key.endsWith('title') ? heading : description)
      },
    )
    .replace('</head>', () => `${more.join('')}</head>`)
}

/** https://www.sitemaps.org/protocol.html: whole addresses, so only where the site's is known. */
const sitemap = (pages: readonly SitePage[], siteUrl: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ file }) => `<url><loc>${escaped(new URL(file.replace(/index\.html$/, ''), siteUrl).href)}</loc></url>`).join('\n')}
</urlset>
`

/**
 * @param plugins those that the source needs to be loaded, made anew for each server
 * @param siteUrl where the site will lie, where that is known: for the sitemap and for tags that
 * other sites read, which take whole addresses only
 */
export function firstPaint(plugins: () => readonly PluginOption[], siteUrl: string | null): Plugin {
  let config: ResolvedConfig | null = null
  let drawing: ReturnType<typeof drawn> | null = null
  return {
    name: 'first-paint',
    configResolved(resolved) {
      config = resolved
    },
    // From the beginning: the bundler's own threads leave this one free much of the time.
    buildStart() {
      if (config?.command !== 'build') return
      drawing = drawn(config.root, plugins())
      drawing.catch(() => undefined) // it is awaited below
    },
    transformIndexHtml: {
      order: 'pre',
      // The development server answers every path with the one page, and lies at the root of its
      // host.
      handler: (html, { server, path }) =>
        server && path.endsWith('index.html') ? html.replace(/<base [^>]*>/, '<base href="/" />') : html,
    },
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') return
        const html = String(index.source)
        if (!drawing) throw new Error('No page was drawn.')
        const { pages, notFound, thumbnails } = await drawing
        const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
        for (const [name, source] of thumbnails) emit(`thumbnails/${name}.svg`, source)
        const headOf = ({ needs }: DrawnPage): string => {
          const preloads = filesFor(bundle, needs).map(
            (file) => `<link rel="modulepreload" crossorigin href="./${file}">`,
          )
          return `${preloads.join('')}</head>`
        }
        const filled = (text: string, page: DrawnPage, base: string, script: string): string =>
          text
            .replace(/<base [^>]*>/, `<base href="${base}" />`)
            .replace('</head>', () => headOf(page))
            .replace(
              '<div id="root"></div>',
              () => `<div id="root">${page.markup}</div><script>${script}</script>`,
            )
        for (const page of pages) {
          const source = filled(described(html, page, siteUrl), page, rootFrom(page.file), ELSEWHERE)
          if (page.file === 'index.html') index.source = source
          else emit(page.file, source)
        }
        const [, entry = ''] = /<script[^>]* src="\.\/([^"]+)"><\/script>/.exec(html) ?? []
        const [, sheet = ''] = /<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/.exec(html) ?? []
        if (entry === '' || sheet === '') throw new Error('index.html has no script, or no style sheet.')
        const unlisted = html.replace('</head>', '<meta name="robots" content="noindex" /></head>')
        // They would be asked for before it is known where they lie.
        const bare = unlisted.replaceAll(
          /<script[^>]* src="[^>]*><\/script>|<link rel="(modulepreload|stylesheet)"[^>]*>/g,
          '',
        )
        const base = siteUrl === null ? '/' : new URL(siteUrl).pathname
        const script = findRoot(entry, sheet, siteUrl)
        emit(notFound.file, filled(described(bare, notFound, null), notFound, base, script))
        // Any page without a network: no text of one, and nothing is waited for, since its scripts
        // are stored.
        emit(
          SHELL,
          unlisted.replace('</head>', () => headOf(notFound)),
        )
        const listed = pages.filter(({ inSteadOf }) => inSteadOf === undefined)
        if (siteUrl !== null) emit('sitemap.xml', sitemap(listed, siteUrl))
      },
    },
  }
}
