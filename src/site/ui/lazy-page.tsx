/** A component that is loaded when first drawn, or before. */
import { lazy, useState, type ComponentType, type FunctionComponent } from 'react'

export interface LazyPage<Props> {
  readonly Page: FunctionComponent<Props>
  readonly load: () => Promise<unknown>
}

/** Drawn at once where it has been loaded: React.lazy alone shows its fallback first. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  let loaded: ComponentType<Props> | null = null
  const loadPage = async () => (loaded = await load())
  const Lazy = lazy(async () => ({ default: await loadPage() }))
  const Page = (props: Props) => {
    // Chosen once: Lazy may be drawn in the very moment of loading, and another component in its
    // place would lose all its state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
    return <Shown {...props} />
  }
  return { Page, load: loadPage }
}

/**
 * `load` says in which modules it lies: the build has their files asked for at once
 * (vite/first-paint.ts).
 */
export interface SitedPage<Props> extends LazyPage<Props> {
  readonly load: () => Promise<readonly object[]>
}

type PropsOf<Shown> = Shown extends ComponentType<infer Props extends object> ? Props : never

/** @param name of the component in its module */
export function sitedPage<Module extends object, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): SitedPage<PropsOf<Module[Name]>> {
  type Shown = ComponentType<PropsOf<Module[Name]>>
  const page = lazyPage(async () => (await load())[name] as Shown) // what else has these props
  return {
    ...page,
    load: async () => {
      await page.load()
      return [await load()]
    },
  }
}
