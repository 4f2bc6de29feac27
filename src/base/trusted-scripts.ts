/**
 * The pages' policy requires trusted types for scripts (vite/policy.ts): an address that becomes a
 * worker passes through here, and no text becomes markup or a script at all. Browsers without
 * trusted types have the rest of the policy.
 */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string | null },
  ) => unknown
}

/** Scripts of this site's own, and blobs that this page has made. */
const isOwnScript = (address: string, page: string): boolean =>
  URL.canParse(address, page) && new URL(address, page).origin === new URL(page).origin

/**
 * Once in each realm, before its first worker is started. `base`: what relative addresses are
 * resolved against.
 */
export function trustOwnScripts(base: string): void {
  // TypeScript's library does not declare it.
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (isOwnScript(address, base) ? address : null),
  })
}
