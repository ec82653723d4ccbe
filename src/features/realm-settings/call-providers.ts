import type { ReadContext } from '#kernel/context';

/** The services that hold calls on this server, by the key that clients know. See protocol/organizations#calls. */
export function callProviders({ calls }: Pick<ReadContext, 'calls'>) {
  return {
    disabled: { name: 'None', id: 0 },
    jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    ...(calls.zoom && !calls.zoom.account && { zoom: { name: 'Zoom', id: 3 } }),
    ...(calls.bigBlueButton && { big_blue_button: { name: 'BigBlueButton', id: 4 } }),
    ...(calls.zoom?.account && { zoom_server_to_server: { name: 'Zoom', id: 5 } }),
    ...(calls.constructorGroups && { constructor_groups: { name: 'Constructor Groups', id: 6 } }),
    ...(calls.nextcloudTalk && { nextcloud_talk: { name: 'Nextcloud Talk', id: 7 } }),
  };
}
