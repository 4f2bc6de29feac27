/** A module that is a file of the site. @param address from the site's root, or whole */
export const loadScript = (address: string): Promise<unknown> =>
  import(/* @vite-ignore */ new URL(address, document.baseURI).href)
