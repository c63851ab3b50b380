/**
 * Registered as global unicast, but only the machines of one cloud reach what answers there: their metadata, and
 * services of the host that trust them. No IANA registry lists these ranges.
 */
export const cloudRanges = [
  // Azure's WireServer: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  "168.63.129.16/32",
  // Equinix Metal's metadata (metadata.packet.net): packet.com/developers/docs/servers/key-features/metadata
  "192.80.8.124/32",
  // IBM Cloud's services and service endpoints, reserved in each network: cloud.ibm.com/apidocs/vpc (address prefixes)
  "161.26.0.0/16",
  "166.8.0.0/14",
  // Google's interfaces from within (restricted. and private.googleapis.com):
  // cloud.google.com/vpc/docs/configure-private-google-access-hybrid
  "199.36.153.4/30",
  "199.36.153.8/30",
];
