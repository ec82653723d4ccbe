import type { Outgoing } from './outgoing.ts';

/** The columns of a new message that do not depend on its place. */
export function messageColumns({ actor, content, rendered, linkTopic }: Outgoing, topic: string) {
  return {
    realm_id: actor.realmId,
    sender_id: actor.userId,
    content,
    rendered_content: rendered.html,
    client: actor.client,
    is_me_message: rendered.isMeMessage,
    has_attachment: rendered.hasAttachment,
    has_image: rendered.hasImage,
    has_link: rendered.hasLink,
    mentions_channel: rendered.mentionsChannel,
    mentions_groups: rendered.mentionedGroupIds.size > 0,
    topic,
    topic_links: linkTopic(topic),
  };
}
