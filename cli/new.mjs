/**
 * `npm run new -- lesson ID "Question"`: the two folders of a lesson, `src/lessons/ID` and
 * `src/experiments/ID`, from new-lesson/. They are a lesson as they stand: no other file names it.
 * The id and the question are filled in; all other words are to be replaced.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { CommandError, ROOT, runCommand, runNode, say } from './terminal.mjs'

const USAGE = 'npm run new -- lesson ID "Question"'
const TEMPLATE = join(ROOT, 'cli', 'new-lesson')
const PATHS = ['lessons', 'experiments']
/** What the template says in their place. */
const OF_TEMPLATE = {
  id: 'new-lesson',
  title: 'New lesson',
  question: 'What does it cost to wait?',
  number: 99,
}

/** @typedef {{ id: string, question: string }} NewLesson */

/**
 * @param {readonly string[]} args
 * @returns {NewLesson}
 */
function parseNewArguments(args) {
  const [what, id = '', question = '', ...more] = args
  if (what !== 'lesson' || more.length > 0) throw new CommandError(`Usage: ${USAGE}`, 2)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id))
    throw new CommandError(`The id is an address: small letters, digits and hyphens; got '${id}'.`, 2)
  // The question is a heading, which carries no markup, and stands in a comment.
  if (question.trim() === '' || /[`*[\]\\\p{Cc}]/u.test(question))
    throw new CommandError(`The question is one line of plain words, in quotes: ${USAGE}`, 2)
  const places = id === OF_TEMPLATE.id ? ['cli/new-lesson'] : PATHS.map((path) => `src/${path}/${id}`)
  const taken = places.find((path) => existsSync(join(ROOT, path)))
  if (taken !== undefined) throw new CommandError(`${taken} is there already: choose another id.`, 2)
  return { id, question: question.trim() }
}

/** The place after the last lesson's. */
async function nextNumber() {
  const folder = join(ROOT, 'src', 'lessons')
  const files = (await readdir(folder)).map((id) => join(folder, id, 'lesson.md')).filter(existsSync)
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return 1 + Math.max(0, ...texts.map((text) => Number(/^number: (\d+)$/m.exec(text)?.[1])))
}

/**
 * @param {NewLesson} lesson
 * @param {number} number
 * @returns {(text: string) => string} what a file of the template says of this lesson
 */
function filledIn({ id, question }, number) {
  const title = id.charAt(0).toUpperCase() + id.slice(1).replaceAll('-', ' ')
  // A JSON string is one of TypeScript and of YAML too.
  const quoted = JSON.stringify(question)
  /** @type {readonly (readonly [string, string])[]} */
  const replacements = [
    [`'${OF_TEMPLATE.question}'`, quoted],
    [`question: ${OF_TEMPLATE.question}`, `question: ${quoted}`],
    [OF_TEMPLATE.question, question],
    [OF_TEMPLATE.id, id],
    [OF_TEMPLATE.title, title],
    [`number: ${OF_TEMPLATE.number}`, `number: ${number}`],
  ]
  return (text) => replacements.reduce((filled, [from, to]) => filled.replaceAll(from, () => to), text)
}

await runCommand(async () => {
  const lesson = parseNewArguments(process.argv.slice(2))
  await ensureDependencies('for running')
  const fill = filledIn(lesson, await nextNumber())
  const files = (await readdir(TEMPLATE, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  /** @type {string[]} */
  const written = []
  for (const each of files) {
    const from = join(each.parentPath, each.name)
    const file = join('src', fill(from.slice(TEMPLATE.length + 1)))
    const to = join(ROOT, file)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, fill(await readFile(from, 'utf8')))
    written.push(file)
    say(`  ${file}`)
  }
  // What was filled in may be too long for its line.
  await runNode(['node_modules/oxfmt/bin/oxfmt', ...written], { quiet: true })
  say(`
It is a lesson as it stands: npm run lab -- run ${lesson.id}, or npm run dev and its address, lessons/${lesson.id}/.
What to write where: src/lessons/README.md and src/experiments/README.md. A recording is optional.`)
  return 0
})
