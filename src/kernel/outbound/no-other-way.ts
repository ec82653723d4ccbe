/**
 * Makes Node's own fetch fail, so that no package asks for an address past this room's bounds and checks. The object store is
 * asked by the fetch that it has kept (kernel/files).
 */
export function closeOtherWays(): void {
  globalThis.fetch = () =>
    Promise.reject(new Error('fetch is closed in this process: requests to other servers go through kernel/outbound'));
}
