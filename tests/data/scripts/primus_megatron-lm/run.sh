#!/usr/bin/env bash
# Stands for the run script of a MAD checkout: the stand-in engine only asks that it exists.
echo "this script is run by madengine inside a container"
