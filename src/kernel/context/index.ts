import type { ServerAddress } from '#kernel/auth';
import type { Clock } from '#kernel/clock';
import type { Directory } from '#kernel/directory';
import type { EventLog, EventQueues } from '#kernel/events';
import type { Files } from '#kernel/files';
import type { IdentityFile } from '#kernel/identity';
import type { Images } from '#kernel/images';
import type { JobRunner } from '#kernel/jobs';
import type { RateLimits } from '#kernel/limits';
import type { Log } from '#kernel/log';
import type { Mailer } from '#kernel/mail';
import type { Metrics } from '#kernel/metrics';
import type { Outbound } from '#kernel/outbound';
import type { ReadDoors, Store } from '#kernel/store';

/** Facts about the running server that features show or obey. */
export interface ServerFacts extends ServerAddress {
  readonly mode: 'production' | 'development';
  readonly secret: string;
  /** When the running version first started on this database, in seconds since 1970. */
  readonly generation: number;
  /** Where people ask for help; undefined where the operator named nothing. */
  readonly supportAddress: string | undefined;
  readonly webPublicChannels: boolean;
  /** Largest file that may be uploaded, in MiB; 0 for none. */
  readonly maxUploadMib: number;
  /** Most invitations by mail of an organization in a day; 0 for no limit. */
  readonly maxInvitationsPerDay: number;
  /** Whether a mail server takes mails; otherwise they are written to a folder. */
  readonly sendsMail: boolean;
  /** Address pattern of incoming mails (`*@in.example.org`); undefined where none are accepted. */
  readonly mailInAddress: string | undefined;
  /** Local folder for parts of what is still being made. */
  readonly spoolDir: string;
  /** Whether other processes may write the same database. */
  readonly isShared: boolean;
}

/** The push service the operator chose. */
export interface PushGateway {
  /** Its address without a trailing slash, with the credentials of this server. */
  readonly url: string;
  readonly outbound: Outbound;
}

/** Ways to authenticate besides the password, and the HTTP client for requests to their servers. */
interface Identity extends IdentityFile {
  /** The directories that check people's passwords, by the label of the organization. */
  readonly directories: ReadonlyMap<string, Directory>;
  readonly outbound: Outbound;
}

/** A service chosen by the operator, with this server's credentials for it. */
export interface Service {
  /** Has no credentials and no trailing slash. */
  readonly url: string;
  readonly name: string;
  readonly secret: string;
}

/** Zoom: where it is asked for tokens, and the credentials of this server's app. */
export interface ZoomService extends Service {
  /** Account whose people calls are made for; undefined where everybody connects an account of their own. */
  readonly account: string | undefined;
}

/** The services that hold calls; undefined where one is not configured. */
export interface CallServices {
  readonly outbound: Outbound;
  readonly zoom: ZoomService | undefined;
  readonly bigBlueButton: Service | undefined;
  readonly constructorGroups: Service | undefined;
  readonly nextcloudTalk: Service | undefined;
}

/** What every handler is given. */
export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly files: Files;
  readonly mail: Mailer;
  readonly images: Images;
  /** HTTP client for addresses that people chose: it reaches only the public Internet. */
  readonly outbound: Outbound;
  /** Undefined where no push service is configured. */
  readonly pushGateway: PushGateway | undefined;
  readonly identity: Identity;
  readonly calls: CallServices;
  readonly events: EventLog;
  readonly queues: EventQueues;
  readonly jobs: JobRunner<Context>;
  readonly limits: RateLimits;
  readonly server: ServerFacts;
  /** Configured services that are unavailable to this process at the moment, for monitoring. */
  readonly degraded: () => readonly string[];
}

/** What the handler of a GET receives: a query never writes. */
export interface ReadContext extends Omit<Context, 'store' | 'jobs'> {
  readonly store: ReadDoors & Pick<Store, 'read' | 'query'>;
}
